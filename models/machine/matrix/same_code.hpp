/// Whether a compiler makes the same instructions of a row as of the code as it is written.
#ifndef LICIT_MODELS_MATRIX_SAME_CODE_HPP
#define LICIT_MODELS_MATRIX_SAME_CODE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/codegen/target.hpp"
#include "machine/matrix/cell.hpp"

namespace licit::matrix {

/// By the functions of `licit codegen`'s source, compiled with and without the change, instruction by instruction.
/// Nothing if that cannot be said: the structure is none that `licit codegen` compiles, the change is not of orders, or
/// there is no such compiler here. Costs two compilations.
std::optional<bool> same_code(const row& r, std::string_view target, std::string_view compiler);

/// By the structure's client programs as stress executables have them, of any structure: compiled with the row's change
/// and without, function by function. Nothing if the row changes no operation, or there is no such compiler here.
/// Throws std::runtime_error with the compiler's words when they do not compile. Costs two compilations of some
/// seconds.
std::optional<bool> same_programs(const row& r, std::string_view target, std::string_view compiler);

/// Nothing where operations.cpp of models/machine/codegen cannot have it: it changes the order of success only.
std::optional<std::vector<codegen::change>> changes_of(const codegen::structure& s, const row& r);

struct exploration {
  std::string found = {};  ///< empty: nothing is said
  bool wrong = false;      ///< Armv8 lets the row fail
};

/// What came of the clients of models/machine/binary on the row's code by g++ for that target, without load buffering,
/// which the columns that ask do not show either. Each is explored to its
/// end, or for so many executions: then nothing is said. Nothing either where the row cannot be compiled so: no
/// ordering, a structure that `licit codegen` does not have, no compiler. Else "right in all 512 executions of 10
/// clients", or who is wrong. Seconds to minutes.
exploration explored_on_arm(const row& r, std::string_view target, std::uint64_t limit);

struct without_language {
  std::string right = {};  ///< "all 12 executions of its 3 programs are right without load buffering"; empty: not so
  std::string wrong = {};  ///< else the first program that is wrong, and how; both empty: not all was explored
  bool raced = false;      ///< no program is wrong otherwise than by a race, or by what is done to freed memory
};

/// The exhaustive checker on the row's programs, each to its end or for so many executions: without ghosts, which stand
/// for load buffering; and if it still finds something, under C++11's release sequences as well, which processors keep.
/// The row's change is made while it runs. Seconds to minutes.
without_language explored_without_language(const row& r, std::uint64_t limit);

}  // namespace licit::matrix

#endif
