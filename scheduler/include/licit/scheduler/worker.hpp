/// The worker loop: where a worker looks for work, in which order, and how it goes to sleep.
///
/// The cheapest first: the LIFO slot (at most some times in a row), the own queue; every so many polls the inject
/// queue; when there is nothing, half of another's queue, another's slot, the inject queue; some rounds of that; then
/// sleep. The same text runs the scheduler's threads and the exhaustive checker's programs.
#ifndef LICIT_SCHEDULER_WORKER_HPP
#define LICIT_SCHEDULER_WORKER_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <licit/deque/options.hpp>
#include <licit/deque/rules.hpp>
#include <licit/deque/stolen.hpp>
#include <licit/scheduler/crew.hpp>

namespace licit::inline v0 {

struct worker_options {
  unsigned in_a_row = 3;                    ///< polls from the slot before its task has to queue; 0: there is no slot
  std::size_t inject_batch = most_at_once;  ///< items taken from the inject queue at once, at most
  unsigned rounds = 1;                      ///< of searching before sleep
};

/// When a worker tells the others of work. Without any of these, work may wait while a worker sleeps (W1 to W4 in
/// scheduler/README.md).
struct worker_rules {
  bool looks_again = true;       ///< the last searcher looks for work once more after it parked
  bool passes_on = true;         ///< the last searcher that has found work wakes another worker if there is more
  bool tells_of_batches = true;  ///< a worker announces what it took from the inject queue beside the first item
  bool tells_of_yields = true;   ///< a worker announces an item that it puts behind others
  bool hands_over = true;        ///< a worker announces what it would run next before it blocks
};

/// Everything here is for the worker's own thread. `item{}` is no item. `Tools` are what a worker needs that is no
/// memory: the order of the others, how soon to steal again, when the inject queue is due, metrics (worker_tools.hpp;
/// the programs of models/ have their own).
template <class Crew, class Tools>
class worker {
 public:
  using item = typename Crew::item;

  worker(Crew& crew, std::size_t self, const worker_options& options, Tools& tools)
      : crew_{crew},
        own_{crew.at_worker(self)},
        tools_{tools},
        self_{self},
        options_{options},
        inject_{crew.injected()},
        batch_(std::max<std::size_t>(options.inject_batch, 1)) {}

  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Runs items by `execute(item)` until the crew is stopped; sleeps while there are none.
  template <class Execute>
  void run(Execute&& execute) {
    if (crew_.begins_asleep()) {
      tools_.going_to_sleep();
      if (!wait()) return;
    }
    for (;;) {
      item next = near();
      while (next == item{}) {
        next = far();
        if (next == item{} && !sleep()) return;
      }
      if (searching_) found();
      execute(next);
      if (crew_.stopped()) return;
    }
  }

  /// From within `execute`: an item to run next here. Whoever searches already may take it, but nobody is woken for it;
  /// what stood in its place has to queue.
  void run_next(item one) {
    if (options_.in_a_row == 0) return queue_up(one);
    const item displaced = own_.slot.put(one);
    if (displaced != item{}) queue_up(displaced);
  }

  /// From within `execute`: an item to run after the others that are there. If there are none, nobody is woken for it:
  /// it is next.
  void run_later(item one) { push_behind(one); }

  /// From within `execute`: the thread is about to block. What it would have run next, in its slot or its queue, and
  /// has told nobody of, is others' to take.
  void hand_over() {
    if (rules.hands_over) crew_.announce();
  }

 private:
  /// Where the own queue's overflow goes.
  struct overflow {
    worker& to;
    void reserve(std::size_t items) noexcept {
      try {
        to.inject_.reserve(items);
      } catch (...) {  // then each goes there by itself
        alone = true;
      }
    }
    void take(std::span<const item> items) noexcept {
      to.tools_.metrics.overflowed(items.size());
      if (!alone) return to.inject_.take(items);
      for (const item one : items) to.crew_.injected().push_certain(one);
    }
    bool alone = false;
  };

  // --- what is near: no other worker's lines, but for the inject queue's once in a while

  item near() {
    if (tools_.tick()) {
      if (const item one = seldom(); one != item{}) return one;
    }
    if (const item one = from_slot(); one != item{}) return one;
    row_ = 0;
    return own_.queue.pop().value_or(item{});
  }

  /// What would never be next by itself while there is other work: what was injected; and, every other time, the oldest
  /// of a queue whose youngest comes first.
  item seldom() {
    if constexpr (!Crew::local_queue::first_in_first_out) {
      if (oldest_is_next_ = !oldest_is_next_; oldest_is_next_) {
        if (const auto oldest = own_.queue.steal()) return *oldest;
      }
    }
    return from_inject();
  }

  item from_slot() {
    const item one = own_.slot.take();
    if (one == item{}) return one;
    if (row_++ < options_.in_a_row) {
      tools_.metrics.slot_hit();
      return one;
    }
    push_behind(one);
    return item{};
  }

  /// A share of what was injected: the first of it, the others in the own queue.
  item from_inject() {
    const std::size_t got = crew_.injected().pop(std::span(batch_).first(most_from_inject()), crew_.workers());
    if (got == 0) return item{};
    tools_.metrics.from_inject(got);
    keep(std::span<const item>(batch_).subspan(1, got - 1));
    return batch_[0];
  }

  /// What fits. On top of a queue whose youngest comes first goes no second batch before the first is done: older items
  /// would wait for ever while others are injected.
  std::size_t most_from_inject() {
    if constexpr (Crew::local_queue::first_in_first_out) {
      return std::clamp<std::size_t>(own_.queue.room(), 1, batch_.size());
    } else {
      if (own_.queue.size() > below_batch_) return 1;
      below_batch_ = no_batch;
      return batch_.size();
    }
  }

  /// In the order in which the queue is to give them.
  void keep(std::span<const item> items) {
    overflow sink{*this};
    if constexpr (Crew::local_queue::first_in_first_out) {
      for (const item one : items) own_.queue.push(one, sink);
    } else {
      if (!items.empty()) below_batch_ = own_.queue.size();
      for (std::size_t i = items.size(); i != 0; --i) own_.queue.push(items[i - 1], sink);
    }
    // While they were in hand nobody saw them. A searcher tells of them when it stops searching.
    // And what this worker had told nobody of, since it was to be next, is not next any more.
    if (!searching_ && rules.tells_of_batches && !own_.queue.empty()) crew_.announce();
  }

  void queue_up(item one) {
    overflow sink{*this};
    own_.queue.push(one, sink);
    crew_.announce();
  }

  /// Behind everything that is there: a queue whose youngest comes first is no place for that.
  void push_behind(item one) {
    const bool next = own_.queue.empty() && own_.slot.empty();
    if constexpr (Crew::local_queue::first_in_first_out) {
      overflow sink{*this};
      own_.queue.push(one, sink);
    } else {
      crew_.injected().push_certain(one);
    }
    if (!next && rules.tells_of_yields) crew_.announce();
  }

  // --- what is far

  item far() {
    if (!searching_) {
      searching_ = crew_.idle().begin_search();
      if (searching_) tools_.metrics.search_begins();
    }
    if (searching_) tools_.before_search();
    for (unsigned round = 0; searching_ && round != options_.rounds; ++round) {
      if (round != 0) tools_.pause(round);
      if (const item one = from_others(); one != item{}) return one;
      if (const item one = from_inject(); one != item{}) return one;
    }
    return searching_ ? item{} : from_inject();
  }

  item from_others() {
    item found{};
    const auto half = [&](std::size_t victim) { return (found = half_of(victim)) != item{}; };
    const auto slot = [&](std::size_t victim) { return (found = slot_of(victim)) != item{}; };
    if (!tools_.others.visit(half)) (void)tools_.others.visit(slot);
    return found;
  }

  item half_of(std::size_t victim) {
    tools_.metrics.steal_tried();
    const auto got = crew_.at_worker(victim).queue.steal_half(own_.queue, most_at_once);
    if (!got) return item{};  // also when it was lost: then it was not empty, and who goes to sleep looks again
    tools_.metrics.stole(victim, 1 + got.moved());
    tools_.caught(1 + got.moved());
    return *got;
  }

  item slot_of(std::size_t victim) {
    const item one = crew_.at_worker(victim).slot.steal();
    if (one == item{}) return one;
    tools_.metrics.slot_stolen(victim);
    tools_.caught(1);
    return one;
  }

  /// A searcher that has found something: if nobody else searches, whoever announced meanwhile has relied on it.
  void found() {
    searching_ = false;
    const bool last = crew_.idle().end_search();
    if (rules.passes_on && last && crew_.sees_work()) crew_.announce();
  }

  // --- sleep

  /// True: awake again, and counted as one who searches. False: the crew is stopped.
  bool sleep() {
    tools_.going_to_sleep();
    const bool last = crew_.idle().park(self_, searching_);
    searching_ = false;
    // A retreat that comes too late has left a searcher behind: this worker, claimed, or another.
    if (rules.looks_again && last && crew_.sees_work() && crew_.idle().retract(self_)) return searching_ = true;
    return wait();
  }

  /// In the idle set: until it is claimed, or the crew is stopped.
  bool wait() {
    do {
      own_.sleep.park();  // also by a token that was left from before
      if (crew_.stopped()) return false;
    } while (crew_.idle().is_parked(self_));
    searching_ = true;  // counted by who claimed it
    tools_.awake();
    return true;
  }

  static constexpr auto rules = rules_of<worker_rules, typename Crew::policy>();

  Crew& crew_;
  typename Crew::member& own_;
  Tools& tools_;
  const std::size_t self_;
  const worker_options options_;
  typename Crew::inject_type::sink inject_;
  std::vector<item> batch_;
  static constexpr std::size_t no_batch = std::numeric_limits<std::size_t>::max();
  std::size_t below_batch_ = no_batch;  ///< items under the last batch, if it may be there; LIFO only
  unsigned row_ = 0;                    ///< polls from the slot since another
  bool searching_ = false;              ///< counted as such in the idle set
  bool oldest_is_next_ = false;         ///< LIFO only
};

}  // namespace licit::inline v0

#endif
