/// What the locations of an algorithm are called: by the sites that access them, so that its source need not say.
#ifndef LICIT_MODELS_CHECKER_PLACES_HPP
#define LICIT_MODELS_CHECKER_PLACES_HPP

#include <array>
#include <string_view>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>

namespace licit::checker {

struct place_rule {
  std::string_view site;
  const char* place;
};

/// Of an ordering table; specialised for those that the checker knows. A location needs a name at each of its stores.
template <const auto& Table>
inline constexpr std::array<place_rule, 0> place_rules{};

template <>
inline constexpr std::array place_rules<chase_lev_orders>{
    place_rule{"steal.top", "top"},  place_rule{"pop.top", "top"},         place_rule{"push.room", "top"},
    place_rule{"make.ring", "ring"}, place_rule{"grow.publish", "ring"},   place_rule{"push.own", "bottom"},
    place_rule{"pop.own", "bottom"}, place_rule{"steal.bottom", "bottom"}, place_rule{"push.item", "slot"},
    place_rule{"grow.copy", "slot"}, place_rule{"steal.item", "slot"},
};

template <>
inline constexpr std::array place_rules<run_queue_orders>{
    place_rule{"room.head", "head"},  place_rule{"overflow.claim", "head"}, place_rule{"pop.claim", "head"},
    place_rule{"steal.head", "head"}, place_rule{"half.head", "head"},      place_rule{"push.own", "tail"},
    place_rule{"pop.own", "tail"},    place_rule{"overflow.own", "tail"},   place_rule{"steal.tail", "tail"},
    place_rule{"half.tail", "tail"},  place_rule{"half.own", "tail"},       place_rule{"push.item", "slot"},
    place_rule{"half.copy", "slot"},  place_rule{"steal.item", "slot"},     place_rule{"half.first", "slot"},
    place_rule{"half.item", "slot"},
};

template <class Site>
consteval const char* place_of() {
  for (const place_rule& r : place_rules<Site::in>) {
    if (r.site == Site::entry.site) return r.place;
  }
  return nullptr;
}

}  // namespace licit::checker

#endif
