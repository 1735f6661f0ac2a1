/// What objdump says of an object file, as data.
#ifndef LICIT_MODELS_CODEGEN_DISASSEMBLY_HPP
#define LICIT_MODELS_CODEGEN_DISASSEMBLY_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "machine/codegen/target.hpp"

namespace licit::codegen {

/// One side of a site: a label that the marked build puts there.
struct mark {
  bool begins;
  std::size_t row;  ///< of the ordering table
};

struct line {
  std::string text;
  std::string symbol;       ///< that the instruction refers to, or the function that it goes to, or empty
  std::vector<mark> marks;  ///< which stand before it, in their order
};

struct function {
  std::string name;  ///< its symbol
  std::vector<line> lines;
};

/// Reads the output of `objdump -t -d -r --no-show-raw-insn`. Throws std::runtime_error when there is no function in
/// it.
std::vector<function> read_disassembly(std::string_view objdump);

/// The instruction's name in a table ("stlr", "dmb ish", "lock cmpxchg"), or empty when it is an ordinary one. `text`
/// is a disassembler's, `callee` the symbol that it refers to, if any: calls of outlined atomics are instructions too.
std::string ordering(family f, std::string_view text, std::string_view callee);

}  // namespace licit::codegen

#endif
