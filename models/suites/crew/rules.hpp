/// The rules of the crew and of its queues that its broken programs break, chosen when a program runs.
#ifndef LICIT_SUITES_CREW_RULES_HPP
#define LICIT_SUITES_CREW_RULES_HPP

#include <cstddef>

#include <licit/scheduler/local_queue.hpp>
#include <licit/scheduler/worker_rules.hpp>

#include "suites/altered.hpp"

namespace licit::suites {

using licit::detail::in_order_rules;
using licit::detail::worker_rules;
using licit::detail::youngest_first_rules;

/// What only many workers or timers come under stays as it is.
struct chosen_worker_rules {
  chosen_rule<&worker_rules::looks_again> looks_again;
  chosen_rule<&worker_rules::passes_on> passes_on;
  chosen_rule<&worker_rules::tells_of_many> tells_of_many;
  chosen_rule<&worker_rules::tells_of_batches> tells_of_batches;
  chosen_rule<&worker_rules::tells_of_slot> tells_of_slot;
  chosen_rule<&worker_rules::tells_of_kept> tells_of_kept;
  chosen_rule<&worker_rules::tells_of_swept> tells_of_swept;
  chosen_rule<&worker_rules::tells_of_yields> tells_of_yields;
  chosen_rule<&worker_rules::wakes_for_posts> wakes_for_posts;
  chosen_rule<&worker_rules::looks_in_inbox> looks_in_inbox;
  chosen_rule<&worker_rules::hands_over> hands_over;
  bool passes_over_sleepers = true;
  bool takes_fired = true;
};
struct chosen_in_order_rules {
  std::size_t most_young = in_order_rules{}.most_young;
  chosen_rule<&in_order_rules::counts_young> counts_young;
  chosen_rule<&in_order_rules::gives_young> gives_young;
};
struct chosen_youngest_first_rules {
  chosen_rule<&youngest_first_rules::counts_yielded> counts_yielded;
  chosen_rule<&youngest_first_rules::gives_yielded> gives_yielded;
};
struct choose_crew_rules {
  constexpr auto operator()(worker_rules /*usual*/) const { return chosen_worker_rules{}; }
  constexpr auto operator()(in_order_rules /*usual*/) const { return chosen_in_order_rules{}; }
  constexpr auto operator()(youngest_first_rules /*usual*/) const { return chosen_youngest_first_rules{}; }
};

}  // namespace licit::suites

#endif
