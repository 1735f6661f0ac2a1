/// What a row changes of an ordering table, at compile time: the meaning of each change is live_orders'.
#ifndef LICIT_MODELS_STRESS_ALTERATION_HPP
#define LICIT_MODELS_STRESS_ALTERATION_HPP

#include <cstddef>
#include <type_traits>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "machine/stress/row.hpp"

namespace licit::stress {

/// How a site's operation is done.
template <class Site>
consteval licit::checker::live_row shipped() {
  return {Site::entry.success, Site::entry.failure, false, false, false, false};
}

/// Nothing is changed.
struct unaltered {
  template <class Site>
  static consteval licit::checker::live_row at() {
    return shipped<Site>();
  }
  template <class Site>
  static consteval bool reorders() {
    return false;
  }
};

/// Whether that is another order than the site's own.
template <class Site>
consteval bool is_reordered(const licit::checker::live_row& now) {
  return now.success != Site::entry.success || now.failure != Site::entry.failure;
}

consteval void change_row(licit::checker::live_row& now, const mutation& by) {
  switch (by.how) {
    case change::weaken: now.success = by.success, now.failure = by.failure; break;
    case change::drop: now.dropped = true; break;
    case change::drop_first: now.dropped_first = true; break;
    case change::blind_store: now.blind = true; break;
    case change::symmetric: now.symmetric = true; break;
  }
}

/// A row of `Structure::rows` over `Structure::table`. Sites of other tables are as they are, whatever their names. A
/// change at a site that the table does not have does not compile.
template <class Structure, std::size_t Row>
struct altered {
  template <class Site>
  static consteval licit::checker::live_row at() {
    licit::checker::live_row now = shipped<Site>();
    for (const mutation& m : Structure::rows[Row].changes) {
      if (is<Site>(Structure::table.find(m.site))) change_row(now, m);
    }
    return now;
  }
  template <class Site>
  static consteval bool reorders() {
    return is_reordered<Site>(at<Site>());
  }

 private:
  template <class Site>
  static consteval bool is(std::size_t index) {
    if constexpr (std::is_same_v<Site, site<Structure::table, Site::index>>) return Site::index == index;
    return false;
  }
};

}  // namespace licit::stress

#endif
