/// Every execution of a row's compiled operations that Armv8's model allows (models/machine/binary).
#ifndef LICIT_MODELS_MATRIX_COMPILED_HPP
#define LICIT_MODELS_MATRIX_COMPILED_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

struct exploration {
  std::string found = {};  ///< empty: nothing is said
  bool wrong = false;      ///< Armv8 lets the row fail
};

/// What came of the clients of models/machine/binary on the row's code by g++ for that target. Each is explored to its end, or
/// for so many executions: then nothing is said. Nothing either where the row cannot be compiled so: no ordering, a
/// structure that `licit codegen` does not have, no compiler. Else "right in all 512 executions of 10 clients", or who
/// is wrong. Seconds to minutes.
exploration explored_on_arm(const row& r, std::string_view target, std::uint64_t limit);

}  // namespace licit::matrix

#endif
