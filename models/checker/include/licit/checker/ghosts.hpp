/// Which operations of an algorithm stand for ghosts: by site, so that the algorithm's source does not know.
#ifndef LICIT_MODELS_CHECKER_GHOSTS_HPP
#define LICIT_MODELS_CHECKER_GHOSTS_HPP

#include <array>
#include <string_view>

#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>

namespace licit::checker {

enum class ghost_role {
  none,
  guess,      ///< a load that counts only if the claim after it succeeds
  claim,      ///< the compare-exchange that decides
  certain,    ///< a load that counts anyway
  overwrite,  ///< a store that guesses must not meet
};

struct ghost_rule {
  std::string_view site;
  ghost_role role;
};

/// Of an ordering table; specialised for those whose algorithms guess. The owner's pop reads what nobody overwrites but
/// itself, and has none.
template <const auto& Table>
inline constexpr std::array<ghost_rule, 0> ghost_rules{};

template <>
inline constexpr std::array ghost_rules<chase_lev_orders>{
    ghost_rule{"push.item", ghost_role::overwrite}, ghost_rule{"grow.read", ghost_role::certain},
    ghost_rule{"grow.copy", ghost_role::overwrite}, ghost_rule{"steal.item", ghost_role::guess},
    ghost_rule{"steal.claim", ghost_role::claim},   ghost_rule{"half.item", ghost_role::guess},
    ghost_rule{"half.claim", ghost_role::claim},
};

template <>
inline constexpr std::array ghost_rules<tagged_orders>{
    ghost_rule{"push.item", ghost_role::overwrite}, ghost_rule{"grow.read", ghost_role::certain},
    ghost_rule{"grow.copy", ghost_role::overwrite}, ghost_rule{"renew.copy", ghost_role::overwrite},
    ghost_rule{"half.item", ghost_role::overwrite}, ghost_rule{"steal.item", ghost_role::guess},
    ghost_rule{"steal.claim", ghost_role::claim},
};

template <>
inline constexpr auto ghost_rules<tagged_asymmetric_orders> = ghost_rules<tagged_orders>;

template <>
inline constexpr auto ghost_rules<chase_lev_asymmetric_orders> = ghost_rules<chase_lev_orders>;
template <>
inline constexpr std::array ghost_rules<split_orders>{
    ghost_rule{"push.item", ghost_role::overwrite}, ghost_rule{"grow.read", ghost_role::certain},
    ghost_rule{"grow.copy", ghost_role::overwrite}, ghost_rule{"steal.item", ghost_role::guess},
    ghost_rule{"steal.claim", ghost_role::claim},
};

/// The owner's takings read what nobody but itself overwrites.
template <>
inline constexpr std::array ghost_rules<run_queue_orders>{
    ghost_rule{"push.item", ghost_role::overwrite}, ghost_rule{"half.copy", ghost_role::overwrite},
    ghost_rule{"steal.item", ghost_role::guess},    ghost_rule{"steal.claim", ghost_role::claim},
    ghost_rule{"half.first", ghost_role::guess},    ghost_rule{"half.item", ghost_role::guess},
    ghost_rule{"half.claim", ghost_role::claim},
};

template <class Site>
consteval ghost_role role_of() {
  for (const ghost_rule& r : ghost_rules<Site::in>) {
    if (r.site == Site::entry.site) return r.role;
  }
  return ghost_role::none;
}

}  // namespace licit::checker

#endif
