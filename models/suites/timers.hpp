/// Timers and the driver: client programs, mutants.
#ifndef LICIT_SUITES_TIMERS_HPP
#define LICIT_SUITES_TIMERS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/time/timers.hpp>
#include <licit/scheduler/time/worker_times.hpp>

#include "suites/account.hpp"
#include "suites/altered.hpp"
#include "suites/every/timers_client.hpp"
#include "suites/program.hpp"
#include "suites/timers/loop_client.hpp"
#include "suites/timers/policies.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

inline const site_rules_for<timers_orders> timers_site_rules{
    {"earliest.look", "driver"}, {"lower.look", "driver"}, {"lower.claim", "driver"}, {"raise.or", "driver"},
    {"take.look", "driver"},     {"take.claim", "driver"}, {"give.or", "driver"},     {"holder.look", "driver"},
};

/// Workers, timers and the coroutines that wait for them. A deadline never wakes a worker: who sleeps until one is
/// woken by `pass`. So a wake-up that is lost leaves threads asleep for ever. The loop is the worker's, as far as it
/// sleeps; how it waits is the scheduler's own class.
///
///     drive    this thread is a worker: it sleeps as workers do, and fires; workers are the first threads
///     set(t)   a coroutine sleeps until tick t, and goes on
///     quit(t)  the same, but it is cancelled at once
///     complete an operation of a coroutine is complete, and the coroutine goes on when its handler has run
///     look     a busy worker fires what is due
///     pass(t)  time passes: it is tick t, and whoever sleeps until then wakes
///     start(t) a coroutine sleeps until tick t, and may do so in the end: then the driver's deadline is no later
///     await    sleeps until the timer that was there at the beginning has fired
///     claim    a foreign thread announces work. With several workers it lasts until the others are done
///
/// Before the colon:
///
///     asleep(w)   worker w begins in the idle set
///     parked(w)   the same, and it is asleep: when it looked for a driver to take, none was needed or free
///     busy(w)     worker w begins awake, with the driver, and is about to run a task that lasts
///     awake(w)    worker w begins awake, looks at timers and reactor once, and then runs a task that lasts
///     linger(t)   a timer is there; without `await` it may be there in the end
///     offer       work is there of which no sleeper was told: a worker that was woken for something else takes it
///
/// `now`: the tick at the beginning. `reacts=1`: there is a reactor, in which the holder of the driver sleeps.
template <class Model, class TimersModel>
class timers_client_over {
  using task_type = waiting_task<Model>;
  using timers_type = licit::timers<TimersModel, task_type>;
  using waiter_type = placed<Model, typename timers_type::waiter_type>;
  using timer_type = placed<Model, typename timers_type::timer>;
  using parker_type = parker<TimersModel>;

 public:
  enum : std::uint8_t {
    set_word,
    quit_word,
    complete_word,
    drive_word,
    look_word,
    pass_word,
    claim_word,
    await_word,
    start_word
  };
  static constexpr std::array words{"set", "quit", "complete", "drive", "look", "pass", "claim", "await", "start"};
  enum : std::uint8_t { asleep_word = words.size(), parked_word, busy_word, awake_word, linger_word, offer_word };
  static constexpr std::array before{"asleep", "parked", "busy", "awake", "linger", "offer"};
  enum : std::uint8_t { now_setting, reacts_setting };
  static constexpr std::array settings{"now", "reacts"};

  explicit timers_client_over(const line& l)
      : workers_{std::max<std::size_t>(l.count(drive_word), 1)},
        now_{static_cast<int>(l.setting(now_setting, 0)), "now"},
        left_{static_cast<int>(users(l)), "left"},
        tasks_{l, drive_word},
        parkers_{workers_},
        idle_{workers_},
        reacts_{l.setting(reacts_setting, 0) != 0},
        keeper_(*this) {}

  static const char* refuses(const line& l) {
    if (l.count(drive_word) > most_workers) return "at most two threads are workers";
    if (l.count(complete_word) != 0 && l.setting(reacts_setting, 0) == 0) return "there is no reactor: set reacts=1";
    return users(l) == 0 && l.count(drive_word) != 0 ? "nothing ends the workers" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == drive_word) return thread < l.count(drive_word) ? nullptr : "workers are the first threads";
    const bool has_tick = c.word == set_word || c.word == quit_word || c.word == pass_word || c.word == start_word ||
                          c.word == linger_word;
    if (has_tick && c.at(0, 1) > timers_type::wheel::last) return "a tick from 0 to 3 was expected";
    if (c.word == start_word && l.thread[thread].count(start_word) > 1) return "a thread starts one timer at most";
    if (c.word == await_word && l.before.count(linger_word) != 1) return "no timer lingers";
    const bool has_worker = c.word >= asleep_word && c.word <= awake_word;
    return has_worker && c.at(0, 0) >= l.count(drive_word) ? "there is no such worker" : nullptr;
  }

  void prepare(const call& c) {
    if (c.word == asleep_word || c.word == parked_word) {
      (void)idle_.park(c.at(0, 0), false);
      asleep_[c.at(0, 0)] = true;
      parked_[c.at(0, 0)] = c.word == parked_word;
    } else if (c.word == busy_word) {
      busy_[c.at(0, 0)] = keeper_.timers().take(c.at(0, 0));
    } else if (c.word == awake_word) {
      awake_[c.at(0, 0)] = true;
    } else if (c.word == offer_word) {
      work_.store(1, order::relaxed, "offer");
    } else {
      lingers_.emplace();
      (*lingers_)->belongs_to(nobody_);
      lasting_.due_at(c.at(0, 1));
      (void)keeper_.timers().set(0, **lingers_, lasting_);
    }
  }
  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case set_word: return set(thread, c.at(0, 1));
      case quit_word: return quit(thread, c.at(0, 1));
      case complete_word: return complete(thread);
      case drive_word: drive(thread); return true;
      case look_word: (void)keeper_.fire(workers_); return true;
      case pass_word: pass(static_cast<int>(c.at(0, 1))); return true;
      case await_word: return await_first();
      case start_word: return start(thread, c.at(0, 1));
      default: announce(); return true;
    }
  }

  void settle() { leave(); }
  void leave() {
    if (lingers_) (void)timers_type::wheel::cancel(**lingers_);
    const timer_tick earliest = keeper_.timers().earliest();
    for (started& each : starts_) {
      if (!each.who || !timers_type::wheel::cancel(**each.who)) continue;
      Model::check(earliest <= each.what.when(), "a timer is linked, and the driver's deadline is later");
    }
  }

 private:
  static constexpr std::size_t most_workers = 2;

  /// What has to be done before the workers end.
  static std::size_t users(const line& l) {
    return l.count(set_word) + l.count(quit_word) + l.count(complete_word) + l.count(await_word);
  }

  /// The clock, and where the holder of the driver sleeps: there it uses what only holders use.
  class keeper {
   public:
    explicit keeper(timers_client_over& all)
        : all_{all},
          timers_(
              all.idle_, all.workers_, [&](std::size_t i) -> parker_type& { return all.parkers_[i]; }, all.reacts_) {
      for (std::size_t i = 0; all.reacts_ && i != all.workers_; ++i) all.outside_.ends_sleep_of(all.parkers_[i]);
    }
    timers_type& timers() { return timers_; }
    [[nodiscard]] bool due() const { return timers_.earliest() <= all_.now(); }
    [[nodiscard]] bool is_late() const { return due(); }
    std::size_t fire(std::size_t self) { return timers_.fire(self, all_.now()); }
    void visit() { visits_.write(visits_.read() + 1); }
    void sleep(parker_type& own) {
      visit();
      const bool waits = !due();
      if (all_.reacts_) {
        (void)own.park_outside([&] {
          if (waits) all_.outside_.wait(handler());
        });
      } else if (waits) {
        own.park();
      }
    }
    void poll() {
      visit();
      all_.outside_.poll(handler());
    }

   private:
    /// Coroutines go on in threads of their own, not on this worker.
    auto handler() {
      return [this](unsigned thread) { all_.completing_[thread]->wake_lent(nullptr); };
    }

    timers_client_over& all_;
    timers_type timers_;
    typename Model::template plain<int> visits_;
  };

  [[nodiscard]] timer_tick now() const { return static_cast<timer_tick>(now_.load(order::relaxed, "now")); }
  [[nodiscard]] bool stopped() const { return stop_.load(order::relaxed, "stopped") != 0; }

  bool set(unsigned thread, timer_tick when) {
    const waiter_type who;
    const timer_type what;
    task_type& mine = tasks_.next(thread);
    if (begins(mine, *who, *what, when) == timer_start::waits) {
      mine.rest();
      Model::check(who->answered() == answer::given, "a sleeper is woken before its timer has fired");
      Model::check(when <= now(), "a timer fires early");
    }
    return ends();
  }
  bool complete(unsigned thread) {
    completing_[thread] = &tasks_.next(thread);
    outside_.complete(thread);
    completing_[thread]->rest();
    return ends();
  }
  bool start(unsigned thread, timer_tick when) {
    started& it = starts_[thread];
    it.who.emplace();
    (void)begins(nobody_, **it.who, it.what, when);
    return true;
  }
  bool await_first() {
    nobody_.rest();
    Model::check((*lingers_)->answered() == answer::given, "a sleeper is woken before its timer has fired");
    return ends();
  }
  bool quit(unsigned thread, timer_tick when) {
    const waiter_type who;
    const timer_type what;
    if (begins(tasks_.next(thread), *who, *what, when) == timer_start::waits && !timers_type::wheel::cancel(*who)) {
      Model::check(when <= now(), "a timer fires early");
    }
    return ends();
  }
  timer_start begins(task_type& mine, typename timers_type::waiter_type& who, typename timers_type::timer& what,
                     timer_tick when) {
    who.belongs_to(mine);
    what.due_at(when);
    return keeper_.timers().set(0, who, what);
  }
  bool ends() {
    if (left_.fetch_sub(1, order::relaxed, "left") != 1) return true;
    stop_.store(1, order::relaxed, "stop");
    wake_all();
    return true;
  }
  void wake_all() {
    for (std::size_t i = 0; i != workers_; ++i) parkers_[i].unpark();
  }
  void pass(int to) {
    now_.store(to, order::relaxed, "pass");
    wake_all();
  }
  void announce() {
    work_.store(1, order::relaxed, "work");
    Model::fence(order::seq_cst, "announce.fence");
    if (const auto worker = idle_.claim()) parkers_[*worker].unpark();
  }

  void drive(std::size_t self) {
    no_metrics counts;
    licit::detail::worker_times<keeper> times(keeper_, self);
    if (awake_[self]) times.look(counts);
    if (busy_[self]) {
      keeper_.visit();
      keeper_.timers().give();
    }
    if (awake_[self] || busy_[self]) return stop_.await_value(1, order::relaxed, "stopped");
    bool searching = false;
    for (bool parked = asleep_[self];; parked = false) {
      if (!parked) (void)idle_.park(self, searching);
      do {
        std::exchange(parked_[self], false) ? parkers_[self].park() : times.rest(parkers_[self], counts);
        if (stopped()) return;
      } while (idle_.is_parked(self) && !(times.due() && retracts(self)));
      searching = true;
      times.awake(counts);
      if (work_.load(order::relaxed, "look") == 0 || work_.exchange(0, order::relaxed, "take") == 0) continue;
      times.before_run(counts);
      searching = false;
      (void)idle_.end_search();
      if (workers_ > 1) return stop_.await_value(1, order::relaxed, "stopped");
    }
  }
  bool retracts(std::size_t self) {
    (void)idle_.retract(self);
    return true;
  }

  const std::size_t workers_;
  typename Model::template atomic<int> now_;
  typename Model::template atomic<int> left_;
  typename Model::template atomic<int> stop_;
  typename Model::template atomic<int> work_;
  waiting_tasks<Model, task_type> tasks_;
  cells<parker_type, most_workers> parkers_;
  idle_set<TimersModel> idle_;
  const bool reacts_;
  outside_world<TimersModel> outside_;
  keeper keeper_;
  task_type nobody_;
  typename timers_type::timer lasting_;
  made_later<waiter_type> lingers_;
  struct started {
    typename timers_type::timer what;
    made_later<waiter_type> who;
  };
  std::array<started, line::most_threads> starts_;  ///< one a thread
  std::array<bool, most_workers> asleep_{};
  std::array<bool, most_workers> parked_{};
  std::array<bool, most_workers> busy_{};
  std::array<bool, most_workers> awake_{};
  std::array<task_type*, line::most_threads> completing_{};  ///< each entry its thread's
};

template <class Model>
using timers_client = timers_client_over<Model, few_ticks<Model>>;

constexpr client_line timed(std::string_view name, std::string_view text, std::string_view property) {
  return {.name = name, .text = text, .property = property, .waits = true};
}

inline constexpr std::string_view nearest = "now=1: drive | set(1)";
inline constexpr std::string_view nearer = "now=1 linger(3): drive | set(1) pass(3) await";
inline constexpr std::string_view nearer_than_asleep = "now=1 linger(3): drive | set(1)";
inline constexpr std::string_view cancelled = "now=1: drive | quit(1)";
inline constexpr std::string_view looked_after = "now=1 linger(1): start(2) | look";
inline constexpr std::string_view two_sources = "now=1: drive | claim set(1)";
inline constexpr std::string_view given_away = "now=3 linger(3) busy(0) asleep(1): drive | drive | await";
inline constexpr std::string_view passed_on = "now=1 parked(0) parked(1) linger(1) offer: drive | drive | await";
inline constexpr std::string_view completed = "reacts=1: drive | complete";
inline constexpr std::string_view nearer_outside = "reacts=1 now=1: drive | set(1)";
inline constexpr std::string_view handed_over_outside = "reacts=1 busy(0) asleep(1): drive | drive | complete";
inline constexpr std::string_view polled = "reacts=1 awake(0): drive | drive | complete";
inline constexpr std::string_view handed_over = "now=1 linger(3) busy(0) asleep(1): drive | drive | set(1)";

inline constexpr std::array timers_lines{
    timed("nearest", nearest, "a timer that is set while its worker falls asleep fires"),
    timed("nearer", nearer, "of two timers each fires, when its time has come"),
    timed("nearer_than_asleep", nearer_than_asleep, "a worker that sleeps until a deadline is told of a nearer one"),
    timed("cancelled", cancelled, "a timer that is cancelled as it fires touches no frame that is gone"),
    timed("cancelled_beside", "now=1 linger(1): drive | quit(1) await", "another at the same tick fires"),
    timed("moved_down", "now=1 linger(3): drive | pass(2) pass(3) await",
          "a timer of a higher level fires, when its time has come"),
    timed("looked_after", looked_after, "a timer that is set while a busy worker fires is not forgotten"),
    timed("two_set", "now=0: start(1) | start(2)", "of two timers that are set at once the nearer one is known"),
    timed("given_away", given_away, "what a holder did where it slept is visible to the next one"),
    timed("two_sources", two_sources, "a worker that is woken for work fires too"),
    timed("passed_on", passed_on, "a timer fires though the worker that was woken for it runs a task that lasts"),
    timed("completed", completed, "an operation that completes while its worker falls asleep is handled"),
    timed("completed_or_woken", "reacts=1: drive | complete | claim", "the same beside work that wakes the worker"),
    timed("completed_or_due", "reacts=1 now=1: drive | complete | set(1)", "the same beside a timer"),
    timed("both_completed", "reacts=1: drive | complete | complete", "of two operations each is handled"),
    timed("nearer_outside", nearer_outside, "a worker that sleeps in the reactor is told of a deadline"),
    timed("handed_over_outside", handed_over_outside,
          "an operation is handled though the worker that held the driver is in a long task"),
    timed("completed_beside_work", "reacts=1 asleep(0) asleep(1): drive | drive | complete | claim",
          "the same beside a worker that is woken for a long task"),
    timed("polled", polled, "the same where the other worker falls asleep while a busy one polls"),
};

inline constexpr std::string_view fired_in_loop = "now=0: work | sleep(1) pass(1)";

inline constexpr std::string_view completed_in_loop = "reacts=1: work | complete | inject";

inline constexpr std::array timers_loop_lines{
    timed("fired_in_loop", fired_in_loop,
          "an item that sleeps runs when its timer has fired, by the worker's real loop"),
    timed("fired_by_a_busy_worker", "now=0 interval=1: work | sleep(1) pass(1) inject",
          "the same where a busy worker looks at the timers"),
    timed("completed_in_loop", completed_in_loop, "what a handler made runs beside an item from outside"),
    timed("completed_or_polled", "reacts=1 interval=1: work | complete | inject",
          "the same where a busy worker polls the reactor"),
};

inline constexpr std::array timers_longer_loop_lines{
    timed("fired_beside_work", "now=0: work | sleep(1) inject | pass(1)", "fired_in_loop beside an item from outside"),
};
inline constexpr std::array timers_longer_lines{
    timed("two_sources_apart", "now=1: drive | claim | set(1)", "the same, by two threads"),
    timed("handed_over", handed_over, "a timer fires though the worker that held the driver is in a long task"),
    timed("handed_over_with_reactor", "reacts=1 now=1 busy(0) asleep(1): drive | drive | set(1)",
          "the same, if workers sleep in a reactor"),
    timed("nearer_or_completed", "reacts=1 now=1 linger(3): drive | set(1) pass(3) await | complete",
          "of two timers and an operation each is handled, in one reactor"),
};

inline constexpr std::array timers_mutants{
    mutant{"rest.fence removed", {"rest.fence", change::drop}},
    mutant{"rest.fence acq_rel", {"rest.fence", change::weaken, order::acq_rel}},
    mutant{"tell.fence removed", {"tell.fence", change::drop}},
    mutant{"tell.fence acq_rel", {"tell.fence", change::weaken, order::acq_rel}},
    mutant{"take.claim relaxed", {"take.claim", change::weaken}},
    mutant{"give.or relaxed", {"give.or", change::weaken}},
    mutant{"lower.claim a blind store", {"lower.claim", change::blind_store}},
    mutant{"take.claim a blind store", {"take.claim", change::blind_store}},
};

template <class Model, timers_rules Rules>
using timers_by = timers_client_over<Model, with_rules<few_ticks<Model>, Rules>>;
template <class Model>
using raises_late_client = timers_by<Model, timers_rules{.raises_first = false, .most_wheels = 1}>;
template <class Model>
using tells_no_holder_client = timers_by<Model, timers_rules{.tells_holder = false, .most_wheels = 1}>;
template <class Model>
using wakes_no_holder_client = timers_by<Model, timers_rules{.wakes_a_holder = false, .most_wheels = 1}>;
template <class Model>
using keeps_driver_client = timers_by<Model, timers_rules{.hands_over = false, .most_wheels = 1}>;
template <class Model>
using lowers_once_client = timers_by<Model, timers_rules{.lowers_again = false, .most_wheels = 1}>;
template <class Model>
using passes_nothing_on_client = timers_by<Model, timers_rules{.passes_on = false, .most_wheels = 1}>;
template <class Model>
using takes_for_time_client = timers_by<Model, timers_rules{.takes_to_react = false, .most_wheels = 1}>;
template <class Model>
using gives_for_time_client = timers_by<Model, timers_rules{.gives_to_react = false, .most_wheels = 1}>;
template <class Model>
using cancels_unlocked_client = timers_client_over<
    Model, with_rules<few_ticks<Model>, timer_wheel_rules{.bits = 1, .levels = 2, .cancels_locked = false}>>;
template <class Model>
using looks_first_client =
    timers_client_over<Model,
                       with_rules<few_ticks<Model>, timer_wheel_rules{.bits = 1, .levels = 2, .links_first = false}>>;

template <class Model>
using leaves_fired_client =
    timed_loop_client_over<Model, with_rules<few_ticks<Model>, licit::detail::worker_rules{.takes_fired = false}>>;

/// How a loop waits that does not know that its worker may have something when it wakes.
template <class Keeper>
struct forgetful_times : licit::detail::worker_times<Keeper> {
  using licit::detail::worker_times<Keeper>::worker_times;
  static constexpr bool some = false;
};
template <class Model>
using leaves_made_client = timed_loop_client_over<Model, few_ticks<Model>, forgetful_times>;

/// Every client: of generated lines, judged by the specification.
template <class Model>
using every_timers = specified_timers_client<Model, few_ticks<Model>, timers_promise>;

struct timers_suite {
  static constexpr const auto& orders = timers_orders;
  static constexpr const auto& mutants = timers_mutants;

  template <class List>
  static void programs(List& to) {
    to.template lines<timers_client>(timers_lines);
    to.template lines<timed_loop_client>(timers_loop_lines);
  }
  template <class List>
  static void longer(List& to) {
    to.template lines<timers_client>(timers_longer_lines);
    to.template lines<timed_loop_client>(timers_longer_loop_lines);
  }
  template <class List>
  static void broken(List& to) {
    one<raises_late_client>(to, "raises_late", looked_after, "who fires raises the deadline after its looks");
    one<looks_first_client>(to, "looks_first", looked_after,
                            "who sets a timer looks at the deadline before it links the timer");
    one<tells_no_holder_client>(to, "tells_no_holder", nearer_than_asleep, "a sleeping worker is not told");
    one<wakes_no_holder_client>(to, "wakes_no_holder", nearest, "nobody holds the driver, and nobody is woken");
    one<keeps_driver_client>(to, "hands_over_nothing", handed_over, "nobody takes the driver over");
    one<leaves_made_client>(to, "leaves_made", completed_in_loop,
                            "a worker that slept does not look whether handlers have made something for it");
    one<leaves_fired_client>(to, "leaves_fired", fired_in_loop, "a worker that has fired looks elsewhere for work");
    one<passes_nothing_on_client>(to, "passes_nothing_on", passed_on,
                                  "a worker that is woken for the driver and finds a task wakes nobody");
    one<cancels_unlocked_client>(to, "cancels_unlocked", cancelled,
                                 "a cancellation looks without the lock whether its timer has fired");
    one<takes_for_time_client>(to, "takes_for_time", completed, "without a deadline nobody sleeps in the reactor");
    one<gives_for_time_client>(to, "gives_for_time", handed_over_outside,
                               "without a deadline nobody is woken for the reactor");
    one<keeps_driver_client>(to, "keeps_reactor", handed_over_outside, "nobody takes the reactor over");
    one<keeps_driver_client>(to, "polls_and_goes", polled, "nobody takes the reactor over from a busy worker");
    one<tells_no_holder_client>(to, "tells_no_reactor", nearer_outside, "a worker in the reactor is not told");
    one<lowers_once_client>(to, "lowers_once", nearer, "what is left after a fire is forgotten");
  }
  template <class List>
  static void every(List& to) {
    to.template specified<every_timers>();
  }

 private:
  template <template <class> class Client, class List>
  static void one(List& to, std::string_view name, std::string_view text, std::string_view property) {
    to.template lines<Client>(std::array{timed(name, text, property)});
  }
};

}  // namespace licit::suites

#endif
