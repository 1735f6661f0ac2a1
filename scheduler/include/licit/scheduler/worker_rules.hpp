/// What a worker loop decides apart from memory orders: limits, and which workers it tells of work.
#ifndef LICIT_SCHEDULER_WORKER_RULES_HPP
#define LICIT_SCHEDULER_WORKER_RULES_HPP

#include <cstddef>

#include <licit/deque/options.hpp>

namespace licit::inline v0::detail {

struct worker_options {
  unsigned in_a_row = 3;                    ///< successive polls from the slot before its task must queue; 0: no slot
  std::size_t inject_batch = most_at_once;  ///< the most items taken from the inject queue at once
  std::size_t steal_most = most_at_once;    ///< the most items stolen from another's queue at once
  bool steals = true;                       ///< false: looks only for what is bound to it
  std::size_t least_stale = 64;             ///< entries without a task that stay in a worker's queues, at least
  unsigned rounds = 1;                      ///< rounds of searching before sleep
};

/// When a worker tells the others of work, and where it looks. Without any of these except `passes_over_sleepers`, work
/// may wait while a worker sleeps (W1 to W4 in scheduler/README.md).
struct worker_rules {
  bool looks_again = true;           ///< the last searcher looks for work once more after it parked
  bool passes_on = true;             ///< the last searcher that has found work wakes another worker if there is more
  bool tells_of_many = true;         ///< a worker that spawns several items at once announces them
  bool tells_of_batches = true;      ///< a worker announces what it took from the inject queue beside the first item
  bool tells_of_slot = true;         ///< a worker announces the item in its slot that an injected one overtakes
  bool tells_of_kept = true;         ///< a worker announces injected items that it took out and put back
  bool tells_of_swept = true;        ///< a worker announces what it took out of its queue and put back
  bool tells_of_yields = true;       ///< a worker announces an item that it puts behind others
  bool wakes_for_posts = true;       ///< a thread that puts an item into a worker's inbox wakes that worker
  bool looks_in_inbox = true;        ///< a worker that was woken looks there before it sleeps again
  bool passes_over_sleepers = true;  ///< a thief passes over sleepers, if there are more than 32 workers
  bool takes_fired = true;           ///< a worker that was asleep looks first at what its timers have made runnable
  bool hands_over = true;            ///< a worker announces what it would run next before it blocks
  bool tells_watchdog = true;        ///< a worker that leaves the idle set before it slept tells the watchdog
};

}  // namespace licit::inline v0::detail

#endif
