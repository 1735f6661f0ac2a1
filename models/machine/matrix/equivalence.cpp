#include "machine/matrix/equivalence.hpp"

#include "machine/matrix/outcomes.hpp"
#include "machine/matrix/same_code.hpp"

namespace licit::matrix {

std::string why_equivalent(const row& r, std::uint64_t limit) {
  if (r.is_control()) return {};
  if (same_code_everywhere(r).value_or(false)) return "the same code on every target, by every compiler";
  if (same_outcomes(r, limit).value_or(false)) return "the same outcomes in every execution of every program";
  return {};
}

}  // namespace licit::matrix
