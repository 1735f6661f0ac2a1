/// The worker loop: where a worker looks for work, in which order, and how it goes to sleep.
///
/// A worker looks at its LIFO slot, then at its own queue, every N polls at the inject queue and its inbox. What is
/// bound to it has every other turn. If these are empty it searches others' queues and slots. Then it sleeps.
#ifndef LICIT_SCHEDULER_WORKER_HPP
#define LICIT_SCHEDULER_WORKER_HPP

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <licit/deque/rules.hpp>
#include <licit/scheduler/crew.hpp>
#include <licit/scheduler/fork/fork_search.hpp>
#include <licit/scheduler/time/worker_times.hpp>
#include <licit/scheduler/worker_queues.hpp>
#include <licit/scheduler/worker_rules.hpp>

namespace licit::inline v0::detail {

/// All members are for the worker's own thread. `item{}` stands for no item. `Tools` are what a worker needs besides
/// memory: the order of its victims, its patience after small thefts, when the inject queue is due, metrics. The
/// scheduler uses worker_tools.hpp, the checkers' clients their own. `Forks` is how the loop takes part in joins
/// (fork/fork_search.hpp), `Times` how it waits for deadlines and the outside world (time/worker_times.hpp).
template <class Crew, class Tools, class Forks = no_forks, class Times = no_times>
class worker {
 public:
  using item = typename Crew::item;

  worker(Crew& crew, std::size_t self, const worker_options& options, Tools& tools, Forks forks = {}, Times times = {})
      : crew_{crew},
        forks_{forks},
        times_{times},
        own_{crew.at_worker(self)},
        tools_{tools},
        self_{self},
        alone_{crew.workers() == 1},
        options_{options},
        overflow_{crew.injected(), tools.metrics},
        batch_(std::max<std::size_t>(options.inject_batch, 1)),
        bound_{own_.inbox, tools.metrics} {}

  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  /// Calls `execute(item)` for each item until the crew is stopped. Sleeps while there are none.
  template <class Execute>
  void run(Execute&& execute) {
    if (crew_.begins_asleep()) {
      tools_.going_to_sleep();
      if (!wait()) return;
    }
    for (;;) {
      item next = near();
      while (next == item{} && !forks_.has()) {
        next = far();
        if (next != item{} || forks_.has()) break;
        if (!sleep()) return;
        if constexpr (Times::some && rules.takes_fired) next = near();
      }
      if (searching_) found();
      next != item{} ? execute(next) : forks_.run();
      if (crew_.stopped()) return;
    }
  }

  /// Within `execute`. Puts the item into the slot, to run next here. A worker that already searches may take it, but
  /// nobody is woken for it. The item that was in the slot goes to the queue.
  void run_next(item one) {
    if (options_.in_a_row == 0) return queue_up(one);
    const item displaced = own_.slot.put(one);
    if (displaced != item{}) queue_up(displaced);
  }

  /// Within `execute`. Queues the item behind all others. If there are none, it is next, and nobody is woken for it.
  void run_later(item one) { push_behind(one); }
  /// Within `execute`. Takes the item if it is in the slot, or the youngest of a LIFO queue, as if it were next.
  /// Whether it was.
  bool take_back(item one) { return own_.slot.take_if(one) || own_.queue.take_back(one); }

  /// Within `execute`. Queues the items, and announces them once.
  void run_all(std::span<const item> items) {
    for (const item one : items) own_.queue.push(one, overflow_);
    if (rules.tells_of_many) crew_.announce(tools_.metrics);
  }

  /// Within `execute`. An item was taken out of its turn, and its entry stays in a queue, perhaps this worker's. When
  /// there are as many of these as other items, takes them out: `discards(item)` returns whether the item was one, and
  /// may be gone. So what they keep is bounded, also in an `execute` that does not end. Amortised O(1).
  template <class Discards>
  void left_stale(Discards&& discards) {
    if (sweeps_.due()) sweep(discards);
  }
  /// The same at once.
  template <class Discards>
  void sweep(Discards&& discards) {
    sweeps_.run([&] { return own_.queue.sweep(discards, overflow_) + bound_.sweep(discards); });
    if (!alone_ && rules.tells_of_swept) crew_.announce(tools_.metrics);
  }

  /// Within `execute`, or after all workers have ended: the items that only this worker may run.
  [[nodiscard]] auto& bound() { return bound_; }

  /// Within `execute`, when the thread is about to block. Announces the items in its slot and its queue that it would
  /// have run next without announcing them, so that others take them.
  void hand_over() {
    if (rules.hands_over) crew_.announce(tools_.metrics);
  }

 private:
  // --- near: touches no other worker's cache lines, and the inject queue's only once in N polls

  item near() {
    if (const item one = tools_.tick() ? seldom() : item{}; one != item{}) return one;
    if (bound_.is_next()) {
      tell_of_overtaken();
      return bound_.pop();
    }
    if (const item one = from_slot(); one != item{}) return one;
    row_ = 0;
    if (const item one = own_.queue.pop_or(item{}); one != item{}) return one;
    return bound_.pop_any();
  }

  /// An item that would not be next while there is other work: an injected one, and with LIFO every other time an old
  /// one of the own queue.
  item seldom() {
    times_.look(tools_.metrics);
    bound_.collect();
    if constexpr (!first_in_first_out) {
      if (oldest_is_next_ = !oldest_is_next_; oldest_is_next_) {
        if (const auto oldest = own_.queue.pop_oldest()) {
          if (left_injected_) tools_.look_soon(0);
          tell_of_overtaken();
          return *oldest;
        }
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

  /// Takes a share of the injected items: returns the first, and puts the others into the own queue.
  item from_inject() {
    const std::size_t most = most_from_inject();
    const std::size_t got = crew_.injected().pop(std::span(batch_).first(most), crew_.workers());
    left_injected_ = got > 1 || got == most;
    if (got == 0) return item{};
    tools_.metrics.from_inject(got);
    if (left_injected_) tools_.look_soon(std::max({first_in_first_out ? got / 2 : got - 1, fewest_between, crowd_}));
    keep(std::span<const item>(batch_).subspan(1, got - 1));
    tell_of_overtaken();
    return batch_[0];
  }

  /// The most items to take. FIFO: what fits. LIFO: no second batch on top of an unfinished one, since older items
  /// would wait forever while others are injected.
  std::size_t most_from_inject() {
    if constexpr (first_in_first_out) {
      const std::size_t room = own_.queue.room();
      crowd_ = own_.queue.half() - std::min(room, own_.queue.half());
      return std::clamp<std::size_t>(room, 1, batch_.size());
    } else {
      if (own_.queue.pushed() > below_batch_) return 1;
      below_batch_ = no_batch;
      return batch_.size();
    }
  }

  /// Queues the items so that the queue returns them in their order.
  void keep(std::span<const item> items) {
    if constexpr (first_in_first_out) {
      for (const item one : items) own_.queue.push_behind(one, overflow_);
    } else {
      if (!items.empty()) below_batch_ = own_.queue.pushed();
      for (std::size_t i = items.size(); i != 0; --i) own_.queue.push(items[i - 1], overflow_);
    }
  }

  /// The worker has an item that did not come from its slot or the near end of its queue. Announces what waits behind
  /// it and may be unannounced: the rest of its batch and what the inject queue put back, which nobody could see while
  /// this worker had them, and the item that was to run next. A searcher announces them when it stops searching.
  void tell_of_overtaken() {
    if (searching_) return;
    const bool queued = rules.tells_of_batches && !own_.queue.empty();
    const bool next = rules.tells_of_slot && !own_.slot.empty();
    const bool kept = rules.tells_of_kept && crew_.injected().keeps();
    if (queued || next || kept) crew_.announce(tools_.metrics);
  }

  [[gnu::noinline]] void queue_up(item one) {
    own_.queue.push(one, overflow_);
    if (!alone_) crew_.announce(tools_.metrics);
  }

  /// Queues the item behind all others.
  void push_behind(item one) {
    const bool next = own_.queue.empty() && own_.slot.empty();
    own_.queue.push_behind(one, overflow_);
    if (!next && rules.tells_of_yields) crew_.announce(tools_.metrics);
  }

  // --- far: other workers' lines

  item far() {
    if (const item one = bound_.pop_any(); one != item{} || !options_.steals) return one;
    if (!searching_) {
      searching_ = crew_.idle().begin_search();
      if (searching_) tools_.metrics.search_begins();
    }
    if (searching_) tools_.before_search();
    for (unsigned round = 0; searching_ && round != options_.rounds; ++round) {
      if (round != 0) tools_.pause(round);
      const bool joins_first = forks_.is_first();
      if (joins_first && forks_.steal()) return item{};  // it runs next
      if (const item one = steal_from_others(crew_, own_, tools_, options_.steal_most); one != item{}) return one;
      if (const item one = from_inject(); one != item{}) return one;
      if (!joins_first && forks_.steal()) return item{};
    }
    return searching_ ? item{} : from_inject();
  }

 protected:                 // for models/proof
  bool searching_ = false;  ///< the idle set counts this worker as searching

  /// A searcher has found an item. If nobody else searches, threads that announced work meanwhile relied on it.
  void found() {
    times_.before_run(tools_.metrics);
    searching_ = false;
    const bool last = crew_.idle().end_search();
    if (rules.passes_on && last && sees_work_for_others()) crew_.announce(tools_.metrics);
  }

  /// Looks first at what it has found itself, a join or an item: there is more of the same.
  bool sees_work_for_others() {
    const auto joins = [this] { return options_.steals && forks_.sees_work_for_others(crew_.idle()); };
    return forks_.has() ? joins() || crew_.sees_work() : crew_.sees_work() || joins();
  }

  // --- sleep

  /// Returns true when the worker is awake again and counted as searching, false if the crew is stopped.
  bool sleep() {
    tools_.going_to_sleep();
    forks_.going_to_sleep();
    const bool last = crew_.idle().park(self_, searching_);
    // If retract fails, a claim came first, and the claimed worker, this one or another, is counted as searching.
    const auto sees_work = [this] { return crew_.sees_work() || (options_.steals && forks_.sees_work()); };
    searching_ = rules.looks_again && last && sees_work() && crew_.idle().retract(self_);
    if (searching_ && rules.tells_watchdog) tools_.metrics.retracts();
    return searching_ || wait();
  }

  /// In the idle set: sleeps until this worker is claimed, gets an item of its own or the crew is stopped; or, if it
  /// holds the driver, until a timer is due or a handler has run.
  bool wait() {
    tools_.metrics.parks();
    do {
      times_.rest(own_.sleep, tools_.metrics);  // returns also for a token left over from before
      if (crew_.stopped()) return false;
    } while (crew_.idle().is_parked(self_) && !(has_own() && retracts()));
    searching_ = true;  // the claim has counted it
    tools_.awake();
    times_.awake(tools_.metrics);
    return true;
  }

  /// Whether this worker, which is parked, has what others do not know of: items, or timers that are due.
  bool has_own() {
    return (rules.looks_in_inbox && own_.inbox.any()) || times_.due() || (Times::some && has_items(own_, bound_));
  }

  /// Leaves the set or is claimed; counted as searching. May wait for a claim that is under way (more than 32 workers).
  bool retracts() {
    while (!crew_.idle().retract(self_) && crew_.idle().is_parked(self_)) {
    }
    return true;
  }

 private:
  static constexpr auto rules = rules_of<worker_rules, typename Crew::policy>();

  Crew& crew_;
  [[no_unique_address]] Forks forks_;
  [[no_unique_address]] Times times_;
  typename Crew::member& own_;
  Tools& tools_;
  const std::size_t self_;
  const bool alone_;  ///< there is no worker to tell of work
  const worker_options options_;
  overflow<typename Crew::inject_type, decltype(Tools::metrics)> overflow_;
  std::vector<item> batch_;
  static constexpr bool first_in_first_out = Crew::local_queue::first_in_first_out;
  static constexpr std::size_t fewest_between = 8;  ///< polls between two looks while items are left, if not too long
  bound_items<item, typename Crew::policy, decltype(Tools::metrics)> bound_;
  static constexpr std::size_t no_batch = std::numeric_limits<std::size_t>::max();
  std::size_t below_batch_ = no_batch;  ///< LIFO only: the items below the last batch, while some of it may be left
  std::size_t crowd_ = 0;               ///< FIFO only: the items beyond half of the queue, before the last look
  sweeps sweeps_{options_.least_stale};
  unsigned row_ = 0;             ///< successive polls from the slot
  bool left_injected_ = false;   ///< the last look at the inject queue probably left items there
  bool oldest_is_next_ = false;  ///< LIFO only
};

}  // namespace licit::inline v0::detail

#endif
