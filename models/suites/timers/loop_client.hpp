/// The client class of timers under a worker's whole loop.
#ifndef LICIT_SUITES_TIMERS_LOOP_CLIENT_HPP
#define LICIT_SUITES_TIMERS_LOOP_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/scheduler/time/timers.hpp>
#include <licit/scheduler/time/worker_times.hpp>
#include <licit/scheduler/worker.hpp>

#include "suites/account.hpp"
#include "suites/crew.hpp"
#include "suites/program.hpp"
#include "suites/timers/policies.hpp"

namespace licit::suites {

/// A worker with its real loop, which sleeps for timers too, and foreign threads. As in the crew's clients, an item
/// that nobody runs leaves the worker asleep for ever.
///
///     work      this thread is the worker, in its loop; it is the first one
///     inject    a foreign thread: an item from outside
///     sleep(t)  a foreign thread: an item that sleeps until tick t, and then runs
///     pass(t)   time passes: it is tick t, and the worker wakes if it sleeps until then
///     complete  an operation is complete, and its handler makes an item
///
/// `now`: the tick at the beginning. `asleep=1`: the worker begins in the idle set. `interval`: a busy worker looks at
/// the timers, and polls the reactor, every so many polls. `reacts=1`: there is a reactor, in which the worker sleeps.
template <class Model, class TimedModel, template <class> class Times = licit::detail::worker_times>
class timed_loop_client_over {
  struct sleeper;
  using timers_type = licit::timers<TimedModel, sleeper>;
  using waiter_type = typename timers_type::waiter_type;
  using parker_type = parker<TimedModel>;

 public:
  enum : std::uint8_t { work_word, inject_word, sleep_word, pass_word, complete_word };
  static constexpr std::array words{"work", "inject", "sleep", "pass", "complete"};
  enum : std::uint8_t { now_setting, asleep_setting, interval_setting, reacts_setting };
  static constexpr std::array settings{"now", "asleep", "interval", "reacts"};

  explicit timed_loop_client_over(const line& l)
      : now_{static_cast<int>(l.setting(now_setting, 0)), "now"},
        items_{items_of(l)},
        left_{static_cast<int>(items_of(l)), "left"},
        crew_{{.workers = 1, .asleep = l.setting(asleep_setting, 0) != 0, .local_capacity = 2}},
        tools_{0, 1, static_cast<unsigned>(l.setting(interval_setting, 8))},
        reacts_{l.setting(reacts_setting, 0) != 0},
        keeper_(*this),
        worker_(crew_, 0, worker_options{.inject_batch = 2}, tools_, {}, {keeper_, 0}) {
    for (unsigned t = 0; t != l.threads; ++t)
      if (l.thread[t].count(complete_word) != 0) made_by_[t] = open();
  }

  static const char* refuses(const line& l) {
    if (l.count(work_word) != 1) return "one thread is the worker";
    unsigned makers = 0;
    for (unsigned t = 0; t != l.threads; ++t)
      makers += l.thread[t].count(inject_word) + l.thread[t].count(sleep_word) != 0;
    if (makers > 1) return "one thread makes the items";
    if (l.count(complete_word) != 0 && l.setting(reacts_setting, 0) == 0) return "there is no reactor: set reacts=1";
    if (items_of(l) == 0 || items_of(l) > most_of_items) return "1 to 3 items were expected";
    return l.setting(interval_setting, 8) == 0 ? "interval is at least 1" : nullptr;
  }
  static const char* refuses(const line& l, unsigned thread, const call& c) {
    if (c.word == work_word) return thread == 0 ? nullptr : "the worker is the first thread";
    if (c.word == sleep_word && l.thread[thread].count(sleep_word) > 1) return "a thread makes one item that sleeps";
    if (c.word == complete_word && l.thread[thread].count(complete_word) > 1) return "a thread completes one operation";
    const bool has_tick = c.word == sleep_word || c.word == pass_word;
    return has_tick && c.at(0, 1) > timers_type::wheel::last ? "a tick from 0 to 3 was expected" : nullptr;
  }

  bool perform(unsigned thread, const call& c) {
    switch (c.word) {
      case work_word: work(); break;
      case inject_word: crew_.inject(open()); break;
      case sleep_word: sleep(thread, c.at(0, 1)); break;
      case complete_word: outside_.complete(thread); break;
      default: pass(static_cast<int>(c.at(0, 1))); break;
    }
    return true;
  }

  void settle() { items_.settle(); }
  void leave() {}

 private:
  static constexpr std::size_t most_of_items = 3;
  using crew_type = crew<crew_item, TimedModel, in_order, locked_list>;

  static std::size_t items_of(const line& l) {
    return l.count(inject_word) + l.count(sleep_word) + l.count(complete_word);
  }

  /// An item that sleeps. Timers fire on the worker, which runs it after what it has.
  struct sleeper {
    timed_loop_client_over* all = nullptr;
    crew_item number = {};
    static executor* lend() { return nullptr; }
    void wake_lent(executor* /*none*/) {
      Model::check(all->due_[static_cast<std::size_t>(number)] <= all->now(), "a timer fires early");
      all->worker_.run_later(number);
    }
  };

  /// The clock, and where the holder of the driver sleeps.
  class keeper {
   public:
    explicit keeper(timed_loop_client_over& all)
        : all_{all},
          timers_(
              all.crew_.idle(), 1, [&](std::size_t i) -> parker_type& { return all.crew_.at_worker(i).sleep; },
              all.reacts_) {
      if (all.reacts_) all.outside_.ends_sleep_of(all.crew_.at_worker(0).sleep);
    }
    timers_type& timers() { return timers_; }
    [[nodiscard]] bool due() const { return timers_.earliest() <= all_.now(); }
    [[nodiscard]] bool is_late() const { return due(); }
    std::size_t fire(std::size_t self) { return timers_.fire(self, all_.now()); }
    void sleep(parker_type& own) {
      const bool waits = !due();
      if (all_.reacts_) {
        (void)own.park_outside([&] {
          if (waits) all_.outside_.wait(handler());
        });
      } else if (waits) {
        own.park();
      }
    }
    void poll() { all_.outside_.poll(handler()); }

   private:
    auto handler() {
      return [this](unsigned thread) { all_.worker_.run_later(all_.made_by_[thread]); };
    }

    timed_loop_client_over& all_;
    timers_type timers_;
  };
  using worker_type = worker<crew_type, crew_tools, licit::detail::no_forks, Times<keeper>>;

  [[nodiscard]] timer_tick now() const { return static_cast<timer_tick>(now_.load(order::relaxed, "now")); }
  crew_item open() { return crew_item{static_cast<std::uint64_t>(items_.open())}; }

  void work() {
    worker_.run([&](crew_item one) {
      items_.take(static_cast<int>(one));
      if (left_.fetch_sub(1, order::relaxed, "left") == 1) crew_.stop();
    });
  }
  void sleep(unsigned thread, timer_tick when) {
    sleeper& task = sleepers_[thread];
    task = {this, open()};
    due_[static_cast<std::size_t>(task.number)] = when;
    waiter_type& who = waiters_[thread].emplace();
    who.belongs_to(task);
    timers_set_[thread].due_at(when);
    if (keeper_.timers().set(1, who, timers_set_[thread]) == timer_start::due) crew_.inject(task.number);
  }
  void pass(int to) {
    now_.store(to, order::relaxed, "pass");
    crew_.at_worker(0).sleep.unpark();
  }

  typename Model::template atomic<int> now_;
  account<Model> items_;
  typename Model::template atomic<int> left_;
  crew_type crew_;
  crew_tools tools_;
  const bool reacts_;
  outside_world<TimedModel> outside_;
  keeper keeper_;
  worker_type worker_;
  std::array<sleeper, line::most_threads> sleepers_{};
  std::array<std::optional<waiter_type>, line::most_threads> waiters_;
  std::array<typename timers_type::timer, line::most_threads> timers_set_;
  std::array<timer_tick, most_of_items + 1> due_{};      ///< by an item's number
  std::array<crew_item, line::most_threads> made_by_{};  ///< by the thread that completes an operation
};

template <class Model>
using timed_loop_client = timed_loop_client_over<Model, few_ticks<Model>>;

}  // namespace licit::suites

#endif
