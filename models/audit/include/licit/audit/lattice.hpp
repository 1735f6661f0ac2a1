/// Memory orders by strength, and what a row of an ordering table may be.
#ifndef LICIT_MODELS_AUDIT_LATTICE_HPP
#define LICIT_MODELS_AUDIT_LATTICE_HPP

#include <array>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::audit {

/// The orders of one row. A fence that is relaxed is no fence.
struct level {
  order success;
  order failure;
  friend bool operator==(const level&, const level&) = default;
};

/// A whole table's orders, row by row.
using assignment = std::vector<level>;

/// Whether `a` orders nothing that `b` does not order.
constexpr bool no_stronger(order a, order b) {
  constexpr std::array<unsigned, 5> what{0b000, 0b001, 0b010, 0b011, 0b111};  // acquires, releases, is seq_cst
  const unsigned wa = what[static_cast<std::size_t>(a)];
  const unsigned wb = what[static_cast<std::size_t>(b)];
  return (wa & wb) == wa;
}
constexpr bool no_stronger(const level& a, const level& b) {
  return no_stronger(a.success, b.success) && no_stronger(a.failure, b.failure);
}
bool no_stronger(const assignment& a, const assignment& b);

/// Everything that the row's operation can have, the weakest first.
std::vector<level> levels_of(const row& r);

/// What is weaker than the row's orders in one of them, the other as it is: the strongest first.
std::vector<level> weaker_than(const row& r, const level& now);

/// The strongest that an operation can have.
level strongest(const row& r);

}  // namespace licit::audit

#endif
