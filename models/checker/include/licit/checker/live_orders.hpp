/// The run-time copy of an ordering table that a checker works on, and the ways to break a row of it.
#ifndef LICIT_CHECKER_LIVE_ORDERS_HPP
#define LICIT_CHECKER_LIVE_ORDERS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/deque/order.hpp>

namespace licit::checker {

enum class change : std::uint32_t {
  weaken,       ///< the row's orders are replaced
  drop,         ///< the operation is left out: a store or a fence that is not there
  drop_first,   ///< the operation is left out the first time that an execution comes to it
  blind_store,  ///< a compare-exchange becomes a store that does not look
  symmetric,    ///< a light fence orders nothing, a heavy one is an ordinary seq_cst fence
};

/// One thing made wrong at one site.
struct mutation {
  std::string_view site;
  change how;
  order success = order::relaxed;
  order failure = order::relaxed;
};

/// How the operation of a row is done.
struct live_row {
  order success;
  order failure;
  bool dropped = false;
  bool dropped_first = false;
  bool blind = false;
  bool symmetric = false;

  friend constexpr bool operator==(const live_row&, const live_row&) = default;
};

/// As the table has it.
constexpr live_row shipped(const row& r) { return {r.success, r.failure}; }

/// Whether the operation can be broken in that way.
constexpr bool can_change(operation kind, change how) {
  switch (how) {
    case change::weaken: return true;
    case change::drop:
    case change::drop_first: return kind == operation::store || licit::detail::is_fence(kind);
    case change::blind_store: return kind == operation::compare_exchange;
    case change::symmetric: return kind == operation::light_fence || kind == operation::heavy_fence;
  }
  return false;
}

/// What a mutation makes of a row, at compile time or at run time. The site is not looked at.
constexpr live_row mutated(live_row now, const mutation& by) {
  switch (by.how) {
    case change::weaken:
      now.success = by.success;
      now.failure = by.failure;
      break;
    case change::drop: now.dropped = true; break;
    case change::drop_first: now.dropped_first = true; break;
    case change::blind_store: now.blind = true; break;
    case change::symmetric: now.symmetric = true; break;
  }
  return now;
}

/// How the operation at a site is done after some mutations of its table, as a constant. Mutations of other sites are
/// passed over; one that the operation cannot have does not compile.
template <class Mutations>
consteval live_row mutated(const row& r, const Mutations& by) {
  live_row now = shipped(r);
  for (const mutation& m : by) {
    if (m.site != r.site) continue;
    if (!can_change(r.kind, m.how)) throw "this operation cannot be broken like this";
    now = mutated(now, m);
  }
  return now;
}

/// A table's rows as they are now. Reset, then mutated, between runs only.
template <const auto& Table>
class live_orders {
 public:
  static const live_row& row(std::size_t i) { return rows_[i]; }

  static void reset() { rows_ = make(); }

  static void set(std::size_t i, order success, order failure) { rows_[i] = {success, failure}; }

  /// Throws std::invalid_argument when the table has no such site, or its operation cannot be broken in that way.
  static void apply(const mutation& m) {
    for (std::size_t i = 0; i != rows_.size(); ++i) {
      if (Table.rows[i].site != m.site) continue;
      if (!can_change(Table.rows[i].kind, m.how)) {
        throw std::invalid_argument("licit: the site " + std::string(m.site) + " is a " +
                                    std::string(licit::detail::name(Table.rows[i].kind)) +
                                    ", which cannot be broken like this");
      }
      rows_[i] = mutated(rows_[i], m);
      return;
    }
    throw std::invalid_argument("licit: the table " + std::string(Table.structure) + " has no site " +
                                std::string(m.site));
  }

 private:
  static constexpr std::array<live_row, Table.rows.size()> make() {
    std::array<live_row, Table.rows.size()> rows{};
    for (std::size_t i = 0; i != rows.size(); ++i) rows[i] = shipped(Table.rows[i]);
    return rows;
  }
  static inline std::array<live_row, Table.rows.size()> rows_ = make();
};

}  // namespace licit::checker

#endif
