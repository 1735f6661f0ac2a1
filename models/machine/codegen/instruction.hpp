/// The instructions that order memory, or change it in one step.
#ifndef LICIT_MODELS_CODEGEN_INSTRUCTION_HPP
#define LICIT_MODELS_CODEGEN_INSTRUCTION_HPP

#include <string>
#include <string_view>

#include "machine/codegen/target.hpp"

namespace licit::codegen {

/// The instruction's name in a table ("stlr", "dmb ish", "lock cmpxchg"), or empty when it is an ordinary one. `text`
/// is a disassembler's, `callee` the symbol that it refers to, if any: calls of outlined atomics are instructions too.
std::string ordering(family f, std::string_view text, std::string_view callee);

}  // namespace licit::codegen

#endif
