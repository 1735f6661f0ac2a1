/// The run-time copy of an ordering table that a checker works on, and the ways to break a row of it.
#ifndef LICIT_MODELS_LIVE_ORDERS_HPP
#define LICIT_MODELS_LIVE_ORDERS_HPP

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/deque/order.hpp>

namespace licit::models {

enum class change {
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

struct live_row {
  order success;
  order failure;
  bool dropped;
  bool dropped_first;
  bool blind;
  bool symmetric;
};

/// A table's rows as they are now. Reset, then mutated, between runs only.
template <const auto& Table>
class live_orders {
 public:
  static const live_row& row(std::size_t i) { return rows_[i]; }

  static void reset() { rows_ = make(); }

  static void set(std::size_t i, order success, order failure) {
    rows_[i] = {success, failure, false, false, false, false};
  }

  /// Throws std::invalid_argument when the table has no such site, or its operation cannot be broken in that way.
  static void apply(const mutation& m) {
    for (std::size_t i = 0; i != rows_.size(); ++i) {
      if (Table.rows[i].site != m.site) continue;
      if (!can(Table.rows[i].kind, m.how)) {
        throw std::invalid_argument("licit: the site " + std::string(m.site) + " is a " +
                                    std::string(licit::name(Table.rows[i].kind)) +
                                    ", which cannot be broken like this");
      }
      switch (m.how) {
        case change::weaken: rows_[i].success = m.success, rows_[i].failure = m.failure; break;
        case change::drop: rows_[i].dropped = true; break;
        case change::drop_first: rows_[i].dropped_first = true; break;
        case change::blind_store: rows_[i].blind = true; break;
        case change::symmetric: rows_[i].symmetric = true; break;
      }
      return;
    }
    throw std::invalid_argument("licit: the table " + std::string(Table.structure) + " has no site " +
                                std::string(m.site));
  }

 private:
  static bool can(operation kind, change how) {
    switch (how) {
      case change::weaken: return true;
      case change::drop:
      case change::drop_first: return kind == operation::store || is_fence(kind);
      case change::blind_store: return kind == operation::compare_exchange;
      case change::symmetric: return kind == operation::light_fence || kind == operation::heavy_fence;
    }
    return false;
  }
  static std::array<live_row, Table.rows.size()> make() {
    std::array<live_row, Table.rows.size()> rows{};
    for (std::size_t i = 0; i != rows.size(); ++i) {
      rows[i] = {Table.rows[i].success, Table.rows[i].failure, false, false, false, false};
    }
    return rows;
  }
  static inline std::array<live_row, Table.rows.size()> rows_ = make();
};

}  // namespace licit::models

#endif
