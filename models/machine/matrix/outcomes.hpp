/// Whether a row's programs do the same as with the code as it is written: execution for execution.
#ifndef LICIT_MODELS_MATRIX_OUTCOMES_HPP
#define LICIT_MODELS_MATRIX_OUTCOMES_HPP

#include <cstdint>
#include <optional>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

/// What each thread did, site by site, and each value that it read and wrote, of all executions: is that the same set
/// with the change as without? Nothing if a program is violated, or has more executions than the limit. Leaves the
/// table as it is written.
std::optional<bool> same_outcomes(const row& r, std::uint64_t limit);

}  // namespace licit::matrix

#endif
