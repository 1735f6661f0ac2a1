/// What the sites of an ordering table mean to a checker: the names of the locations that they access, and the sites
/// that stand for ghosts. The algorithm's source does not know; whoever checks it says so beside its programs:
///
///     inline const licit::checker::site_rules_for<my_orders> my_rules{{
///         {"push.item", "slot", licit::checker::ghost_role::overwrite},
///         {"push.publish", "bottom"},
///     }};
///
/// The rules are a table that exists once in a program, filled before main() by every header that has such a line. A
/// translation unit without the line sees the same rules.
#ifndef LICIT_CHECKER_SITE_RULES_HPP
#define LICIT_CHECKER_SITE_RULES_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/checker/engine.hpp>
#include <licit/checker/live_orders.hpp>

namespace licit::checker {

/// A ghost stands for data that is read before it is known that it may be. RC11 has no load buffering, so it does not
/// show a read that moves behind the claim after it; instead the reads of whoever wins must happen before the next
/// overwrite.
enum class ghost_role : std::uint32_t {
  none,
  guess,      ///< a load that counts only if the claim after it succeeds
  claim,      ///< the compare-exchange that decides
  certain,    ///< a load that counts anyway
  overwrite,  ///< a store that guesses must not meet
};

struct site_rule {
  std::string_view site;
  const char* place = nullptr;  ///< what traces call the location; a location needs a name at each of its stores
  ghost_role role = ghost_role::none;
};

/// The rules of a table. Sites without a rule have no name and no role.
template <const auto& Table>
class site_rules {
 public:
  struct rule {
    const char* place = nullptr;
    ghost_role role = ghost_role::none;
  };

  static const rule& at(std::size_t row) { return rules_[row]; }

  /// Whether somebody has stated rules for the table. Without them its ghosts are not checked.
  static bool known() { return known_; }

  /// Throws std::invalid_argument for a site that the table does not have.
  static void add(std::span<const site_rule> all) {
    known_ = true;
    for (const site_rule& r : all) rules_[find(r.site)] = {r.place, r.role};
  }

 private:
  static std::size_t find(std::string_view site) {
    for (std::size_t i = 0; i != Table.rows.size(); ++i) {
      if (Table.rows[i].site == site) return i;
    }
    throw std::invalid_argument("licit: a rule for the site " + std::string(site) + ", which the table " +
                                std::string(Table.structure) + " does not have");
  }

  static inline std::array<rule, Table.rows.size()> rules_{};
  static inline bool known_ = false;
};

/// States the rules of a table, before main().
template <const auto& Table>
struct site_rules_for {
  site_rules_for(std::initializer_list<site_rule> all) { site_rules<Table>::add({all.begin(), all.size()}); }
  /// Those of a similar table, and some of its own.
  explicit site_rules_for(std::span<const site_rule> similar, std::initializer_list<site_rule> own = {}) {
    site_rules<Table>::add(similar);
    site_rules<Table>::add({own.begin(), own.size()});
  }
};

namespace detail {

template <class Site>
const live_row& live_row_of() {
  return live_orders<Site::in>::row(Site::index);
}
template <class Site>
ghost_role role_of() {
  return site_rules<Site::in>::at(Site::index).role;
}
template <class Site>
const char* label_of() {
  return Site::entry.site.data();  // a string literal
}
template <class Site>
bool is_left_out() {
  const live_row& row = live_row_of<Site>();
  return row.dropped || (row.dropped_first && engine::running().first_visit(label_of<Site>()));
}

}  // namespace detail

}  // namespace licit::checker

#endif
