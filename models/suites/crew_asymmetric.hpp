/// The crew over asymmetric fences, the announcing thread's light and the sleeping worker's heavy: client programs,
/// mutants.
#ifndef LICIT_SUITES_CREW_ASYMMETRIC_HPP
#define LICIT_SUITES_CREW_ASYMMETRIC_HPP

#include <array>

#include <licit/deque/asymmetric.hpp>

#include "suites/crew.hpp"

namespace licit::suites {

inline const site_rules_for<crew_asymmetric_orders> crew_asymmetric_site_rules{std::span<const site_rule>(crew_sites)};

inline constexpr std::array crew_asymmetric_mutants{
    mutant{"announce.fence removed", {"announce.fence", change::drop}},
    mutant{"announce.fence not light", {"announce.fence", change::symmetric}},
    mutant{"look.fence removed", {"look.fence", change::drop}},
    mutant{"look.fence an ordinary one", {"look.fence", change::symmetric}},
    mutant{"stop.set removed", {"stop.set", change::drop}},
};

struct crew_asymmetric_suite {
  static constexpr const auto& orders = crew_asymmetric_orders;
  static constexpr const auto& mutants = crew_asymmetric_mutants;

  template <class List>
  static void programs(List& to) {
    adapting<asymmetric_policy, List> asymmetric{to};
    asymmetric.template lines<crew_client>(crew_lines);
    asymmetric.template lines<crew_whole_client>(crew_whole_lines);
  }
};

}  // namespace licit::suites

#endif
