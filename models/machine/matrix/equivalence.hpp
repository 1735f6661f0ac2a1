/// Mutants that are none.
#ifndef LICIT_MODELS_MATRIX_EQUIVALENCE_HPP
#define LICIT_MODELS_MATRIX_EQUIVALENCE_HPP

#include <cstdint>
#include <string>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

/// Why the row is equivalent to the code as it is written: every compiler makes the same code of it on every target, or
/// the outcomes of all programs are the same, exhaustively. Empty: it is a mutant. What cannot be said for lack of a
/// compiler, or within the limit, is no reason.
std::string why_equivalent(const row& r, std::uint64_t limit);

}  // namespace licit::matrix

#endif
