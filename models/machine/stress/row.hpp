/// A row of the kill matrix as constants: the programs that show it, and the ordering table that is compiled in.
#ifndef LICIT_MODELS_STRESS_ROW_HPP
#define LICIT_MODELS_STRESS_ROW_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "suites/program.hpp"

namespace licit::stress {

using suites::change;
using suites::mutation;

/// A few, in an array of fixed size, so that rows are constants.
template <class T, std::size_t Most>
class few {
 public:
  constexpr few(std::initializer_list<T> all) : count_{all.size()} {
    std::ranges::copy(all, all_.begin());  // more than `Most` does not compile
  }
  [[nodiscard]] constexpr const T* begin() const { return all_.data(); }
  [[nodiscard]] constexpr const T* end() const { return all_.data() + count_; }
  [[nodiscard]] constexpr std::size_t size() const { return count_; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return all_[i]; }

 private:
  std::array<T, Most> all_{};
  std::size_t count_;
};

struct row {
  std::string_view name;               ///< as the kill matrix calls it
  bool shown;                          ///< the exhaustive checker finds it in each of the programs
  few<mutation, 32> changes;           ///< of the structure's table, one after another
  few<std::string_view, 40> programs;  ///< that are run; of the structure, or one of its broken ones
};

// What a row changes of an ordering table, at compile time. What each change means is said in live_orders.hpp.

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
