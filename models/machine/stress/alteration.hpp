/// What a row changes of an ordering table, at compile time. What each change means is said in live_orders.hpp.
#ifndef LICIT_MODELS_STRESS_ALTERATION_HPP
#define LICIT_MODELS_STRESS_ALTERATION_HPP

#include <cstddef>
#include <type_traits>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "machine/stress/row.hpp"

namespace licit::stress {

/// Nothing is changed.
struct unaltered {
  template <class Site>
  static consteval checker::live_row at() {
    return checker::shipped(Site::entry);
  }
  template <class Site>
  static consteval bool reorders() {
    return false;
  }
};

/// A row of `Structure::rows` over `Structure::table`. Sites of other tables are as they are, whatever their names. A
/// change at a site that the table does not have, or that its operation cannot have, does not compile.
template <class Structure, std::size_t Row>
struct altered {
  template <class Site>
  static consteval checker::live_row at() {
    for (const mutation& m : Structure::rows[Row].changes) (void)Structure::table.find(m.site);
    if constexpr (std::is_same_v<Site, site<Structure::table, Site::index>>) {
      return checker::mutated(Site::entry, Structure::rows[Row].changes);
    }
    return checker::shipped(Site::entry);
  }
  /// Whether the operation has another order than the site's own.
  template <class Site>
  static consteval bool reorders() {
    const checker::live_row now = at<Site>();
    return now.success != Site::entry.success || now.failure != Site::entry.failure;
  }
};

}  // namespace licit::stress

#endif
