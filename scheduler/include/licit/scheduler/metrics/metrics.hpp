/// The metrics interface of the worker loop, which is a template over it: `worker_metrics` or `no_metrics`
/// (counter.hpp).
#ifndef LICIT_SCHEDULER_METRICS_HPP
#define LICIT_SCHEDULER_METRICS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/idle/parked_time.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/metrics/counter.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>
#include <licit/scheduler/metrics/metrics_snapshot.hpp>
#include <licit/scheduler/metrics/poll_histogram.hpp>
#include <licit/scheduler/metrics/trace.hpp>
#include <licit/scheduler/metrics/trace_ring.hpp>
#include <licit/scheduler/metrics/worker_counts.hpp>

namespace licit::inline v0 {

struct metrics_options {
  bool measure_polls = false;     ///< reads the clock twice a poll, and needs 1.3 KB
  trace_ring<>* trace = nullptr;  ///< where events are recorded; null: no trace
  parker<>* watchdog = nullptr;   ///< told of wake-ups; null: nobody reads `progress`
};

/// For one worker. Every call except `read` is for that worker's thread only, wait-free, and throws nothing. A counter
/// costs a load and a store in the worker's own cache lines; a trace that is off costs one branch.
template <class Policy = native, class Clock = detail::steady_nanoseconds>
class alignas(128) worker_metrics {
 public:
  /// Throws std::bad_alloc.
  explicit worker_metrics(const metrics_options& options = {})
      : trace_{options.trace},
        watchdog_{options.watchdog},
        poll_times_{options.measure_polls ? std::make_unique<poll_histogram<Policy>>() : nullptr},
        timed_{options.measure_polls || options.trace != nullptr},
        watched_{timed_ || options.watchdog != nullptr} {}

  /// Before each run of a task. In the trace its name, if there is one, and its address stand for it.
  void poll_begins(const void* task, const char* name = nullptr) noexcept {
    counts_.polls.add();
    ++polls_since_wake_;
    if (watched_) [[unlikely]]
      begin_watched(task, name);
  }
  /// After the run, when the task may be gone.
  void poll_ends() noexcept {
    if (watched_) [[unlikely]]
      end_watched();
  }

  /// Around a run within another, also in the trace. It is part of that one's poll, in which the watchdog sees its
  /// name. If it leaves an entry in a queue, taking that will be a poll.
  class within {
   public:
    within(worker_metrics& of, const void* task, const char* name = nullptr) noexcept
        : of_{of}, begun_ns_{of.begun_ns_}, running_{of.running_}, shown_{of.shown_} {
      if (of.watched_) [[unlikely]]
        of.begin_watched(task, name);
    }
    ~within() {
      if (!of_.watched_) [[likely]]
        return;
      of_.end_watched(shown_);
      of_.begun_ns_ = begun_ns_;
      of_.running_ = running_;
    }
    within(const within&) = delete;
    within& operator=(const within&) = delete;

   private:
    worker_metrics& of_;
    std::uint64_t begun_ns_;
    const void* running_;
    const char* shown_;
  };

  void spawned() noexcept { counts_.spawned.add(); }

  // How a task ended.
  void finished() noexcept { counts_.finished.add(); }
  void threw() noexcept { counts_.threw.add(); }
  void cancelled() noexcept { counts_.cancelled.add(); }
  void moved() noexcept { counts_.moved.add(); }

  /// The poll ended because the budget was exhausted.
  void forced_yield(const void* task) noexcept {
    counts_.forced_yields.add();
    tell([&] { return trace_word::of_task(traced::forced_yield, task); });
  }

  /// The next task comes from the worker's own slot.
  void slot_hit() noexcept { counts_.slot_hits.add(); }

  /// The worker queued `items` that only it may run.
  void bound_queued(std::size_t items) noexcept { bound_queued_.add(items); }
  /// The next task is one of these.
  void bound_poll() noexcept { counts_.bound_polls.add(); }
  /// The worker took `items` of these out, which had run elsewhere.
  void bound_dropped(std::size_t items) noexcept { bound_dropped_.add(items); }

  /// The local queue moved `items` to the inject queue.
  void overflowed(std::uint64_t items) noexcept {
    counts_.overflows.add();
    counts_.items_overflowed.add(items);
    tell([&] { return trace_word::of_number(traced::overflow, items); });
  }

  /// The worker took `items`, at least 1, from the inject queue by one claim.
  void from_inject(std::uint64_t items) noexcept {
    counts_.inject_batches.add();
    counts_.items_from_inject.add(items);
    tell([&] { return trace_word::of_number(traced::inject, items); });
  }

  /// The worker was admitted as a searcher, or woken as one.
  void search_begins() noexcept { counts_.searches.add(); }

  /// Before each look at another's queue.
  void steal_tried() noexcept { counts_.steals_tried.add(); }

  /// After a look that brought `items`, the one to run next included.
  void stole(std::size_t victim, std::uint64_t items) noexcept {
    counts_.steals_won.add();
    counts_.items_stolen.add(items);
    tell([&] { return trace_word::of_number(traced::steal, items, victim); });
  }

  /// The worker took the task in another's slot.
  void slot_stolen(std::size_t victim) noexcept {
    counts_.slots_stolen.add();
    tell([&] { return trace_word::of_number(traced::slot_steal, 1, victim); });
  }

  /// Before the worker wakes another, which sleeps.
  void woke(std::size_t worker) noexcept {
    tell([&] { return trace_word::of_number(traced::woke, 0, worker); });
  }
  /// Before the worker gives another a task that only that one may run.
  void sent(std::size_t worker) noexcept {
    tell([&] { return trace_word::of_number(traced::sent, 0, worker); });
  }

  /// Around the run of a join's half that the worker has stolen from `victim`. The address stands for the half in the
  /// trace. Runs, halves and waits lie within one another; each ends before what it lies in.
  void half_begins(std::size_t victim, const void* half, const char* name = nullptr) noexcept {
    ++polls_since_wake_;                                           // it is work, though no poll
    if (watchdog_ != nullptr && shown_ == nullptr) [[unlikely]] {  // for the watchdog it is like a poll
      halves_.add();
      shown_half_ = half;
      show(name != nullptr ? name : "stolen half");
    }
    if (trace_ == nullptr) [[likely]]
      return;
    const std::uint64_t now = Clock::now();
    trace_->record({now, trace_word::of_task(traced::half_begin, half)});
    trace_->record({now, trace_word::of_number(traced::half_from, 0, victim)});
    if (name != nullptr) trace_->record({now, trace_word::of_task(traced::run_name, name)});
  }
  void half_ends(const void* half) noexcept {
    tell([&] { return trace_word::of_task(traced::half_end, half); });
    if (shown_half_ == half) [[unlikely]] {
      shown_half_ = nullptr;
      show_again(nullptr);
    }
  }
  /// Around the time in which a join waits for its stolen half, whatever the worker does meanwhile.
  void join_waits(const void* half) noexcept {
    tell([&] { return trace_word::of_task(traced::wait_begin, half); });
  }
  void join_resumes(const void* half) noexcept {
    tell([&] { return trace_word::of_task(traced::wait_end, half); });
  }

  /// Before and after each sleep. Reads the clock once each. A wake-up without a run before the next sleep counts as
  /// empty.
  void parks() noexcept {
    if (woken_ && polls_since_wake_ == 0) counts_.empty_wakes.add();
    counts_.parks.add();
    const std::uint64_t now = Clock::now();
    parked_.parks(now);
    if (trace_ != nullptr) trace_->record({now, trace_word::of_number(traced::park, 0)});
  }
  void wakes() noexcept {
    counts_.wakes.add();
    woken_ = true;
    polls_since_wake_ = 0;
    const std::uint64_t now = Clock::now();
    parked_.wakes(now);
    if (trace_ != nullptr) trace_->record({now, trace_word::of_number(traced::wake, 0)});
    if (watchdog_ != nullptr) watchdog_->unpark();
  }
  /// The worker entered the idle set and has left it without having slept. The watchdog may have seen it there.
  void retracts() noexcept {
    if (watchdog_ != nullptr) watchdog_->unpark();
  }

  /// The worker held the driver as it slept, and woke; for a timer that seems due, or not.
  void driver_woke(bool timer_is_due) noexcept {
    counts_.driver_wakes.add();
    if (!timer_is_due) counts_.driver_wakes_early.add();
    woke_for_timer_ = timer_is_due;
  }
  /// The worker took the driver, or gives it away.
  void driver_changes(bool taken) noexcept {
    tell([&] { return trace_word::of_number(taken ? traced::driver_taken : traced::driver_given, 0); });
  }
  void timers_fired(std::uint64_t timers) noexcept {
    counts_.timers_fired.add(timers);
    const bool woke = std::exchange(woke_for_timer_, false);
    if (woke && timers == 0) counts_.driver_wakes_early.add();  // it was cancelled
    if (timers != 0) tell([&] { return trace_word::of_number(traced::timers, timers); });
  }

  /// Any thread, with a watchdog. Wait-free. The two belong together if the polls are the same before and after.
  [[nodiscard]] poll_progress progress() const {
    return {counts_.polls.read() + halves_.read(), task_.load(at<"task.read">)};
  }

  /// Any thread. Wait-free, a load a count; writes nothing. The depth is that of the tasks bound to the worker alone.
  [[nodiscard]] worker_snapshot read() const {
    worker_snapshot snapshot;
    for (std::size_t i = 0; i != described_counts<std::uint64_t>.size(); ++i) {
      snapshot.counts.*described_counts<std::uint64_t>[i].number =
          (counts_.*described_counts<detail::counter<Policy>>[i].number).read();
    }
    snapshot.parked_ns = parked_.template read<Clock>();
    const std::uint64_t gone = bound_dropped_.read();
    const std::uint64_t queued = bound_queued_.read();
    snapshot.local_depth = queued - std::min(queued, snapshot.counts.bound_polls + gone);
    if (poll_times_ != nullptr) snapshot.poll_times = poll_times_->read();
    return snapshot;
  }

 private:
  template <fixed_string Name>
  static constexpr auto at = site_of<metrics_orders, Name>;

  void begin_watched(const void* task, const char* name) noexcept {
    if (watchdog_ != nullptr) show(name != nullptr ? name : "");
    if (timed_) begin_timed(task, name);
  }
  void begin_timed(const void* task, const char* name) noexcept {
    begun_ns_ = Clock::now();
    running_ = task;
    if (trace_ == nullptr) return;
    trace_->record({begun_ns_, trace_word::of_task(traced::run_begin, task)});
    if (name != nullptr) trace_->record({begun_ns_, trace_word::of_task(traced::run_name, name)});
  }
  void end_watched(const char* outer = nullptr) noexcept {
    if (watchdog_ != nullptr) show_again(outer);
    if (timed_) end_timed();
  }
  void show(const char* name) noexcept { task_.store(shown_ = name, at<"task.begin">); }
  void show_again(const char* name) noexcept { task_.store(shown_ = name, at<"task.end">); }
  void end_timed() noexcept {
    const std::uint64_t now = Clock::now();
    if (poll_times_ != nullptr) poll_times_->add(now - begun_ns_);
    if (trace_ != nullptr) trace_->record({now, trace_word::of_task(traced::run_end, running_)});
  }
  template <class Word>
  void tell(Word&& word) noexcept {
    if (trace_ != nullptr) [[unlikely]]
      trace_->record({Clock::now(), word()});
  }

  worker_counts<detail::counter<Policy>> counts_;
  detail::counter<Policy> bound_queued_, bound_dropped_, halves_;
  detail::parked_time<Policy> parked_;
  trace_ring<>* const trace_;
  parker<>* const watchdog_;
  const std::unique_ptr<poll_histogram<Policy>> poll_times_;
  const bool timed_;    ///< polls are measured or traced
  const bool watched_;  ///< or a watchdog reads which task runs
  typename Policy::template atomic<const char*> task_{nullptr};
  bool woken_ = false;
  bool woke_for_timer_ = false;  ///< the holder of the driver, and has fired none since
  std::uint64_t polls_since_wake_ = 0;
  std::uint64_t begun_ns_ = 0;
  const void* running_ = nullptr;
  const char* shown_ = nullptr;       ///< what `task_` is
  const void* shown_half_ = nullptr;  ///< the stolen half that `task_` stands for
};

}  // namespace licit::inline v0

#endif
