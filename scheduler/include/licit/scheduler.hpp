/// A work-stealing scheduler of tasks: threads that run what is spawned, and sleep without a timeout while there is
/// nothing.
///
///     licit::scheduler all{{.workers = 4}};
///     auto answer = all.spawn([] { return 42; });
///     answer.get();
///
/// scheduler/README.md says in which order tasks run, what is promised, and how far that is checked.
#ifndef LICIT_SCHEDULER_SCHEDULER_HPP
#define LICIT_SCHEDULER_SCHEDULER_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <utility>

#include <licit/deque/version.hpp>
#include <licit/scheduler/task/block_on.hpp>
#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/engine.hpp>
#include <licit/scheduler/metrics/metrics_snapshot.hpp>
#include <licit/scheduler/scheduler_options.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/unconstrained.hpp>
#include <licit/scheduler/task/yield.hpp>

namespace licit::inline v0 {

class scheduler {
 public:
  /// Starts the threads, and returns when all have started. Throws std::invalid_argument (an option out of range: it
  /// names option and range), std::system_error (a thread cannot be created, or not be bound to its processors: it
  /// says which), std::bad_alloc, and what `on_thread_start` throws; no thread is left then.
  explicit scheduler(const scheduler_options& options = {}) : engine_{engine::make(options)} {}

  /// As `shutdown(cancel)` without a limit: blocks until the tasks that run have ended, or suspend. Not from one of its
  /// own tasks.
  ~scheduler() {
    if (engine_ != nullptr) (void)engine_->shutdown(shutdown_kind::cancel, {});
  }
  /// What was moved from can be destroyed, and nothing else.
  scheduler(scheduler&&) noexcept = default;
  scheduler& operator=(scheduler&&) = delete;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Any thread, also another scheduler's worker: the callable or coroutine is to run, once. From a task of this
  /// scheduler it goes to the worker's own queue, from elsewhere to the one that all share. Lock-free but for the
  /// allocation. Throws executor_closed after shutdown began (from this scheduler's tasks only when that cancels),
  /// std::bad_alloc, and what moving the callable throws; nothing has been started then.
  template <spawnable F>
  auto spawn(F&& callable) {
    return licit::spawn(*engine_, std::forward<F>(callable));
  }
  template <class T>
  join_handle<T> spawn(task<T> body) {
    return licit::spawn(*engine_, std::move(body));
  }

  /// A thread that is no worker of this scheduler, or any that is not in a task: runs the coroutine on the calling
  /// thread, blocks while it is suspended; its value or exception. What it spawns goes to the scheduler. In a task it
  /// throws std::system_error (resource_deadlock_would_occur).
  template <class T>
  T block_on(task<T> body) {
    return licit::block_on(*engine_, std::move(body));
  }

  /// Any thread but its own workers', which get std::logic_error. Refuses what is spawned from now on, and waits until
  /// there is no task, at most that long. If none is left the threads have ended when it returns; else they go on, and
  /// it may be called again, to drain further or to cancel. Calls wait for one another, beyond their own limit if need
  /// be; to cancel takes effect before that, on a draining that is under way too. Never loses a task silently: each is
  /// in the report.
  shutdown_report shutdown(shutdown_kind kind = shutdown_kind::drain) { return engine_->shutdown(kind, {}); }
  shutdown_report shutdown(shutdown_kind kind, std::chrono::nanoseconds most) {
    const std::chrono::nanoseconds longest = std::chrono::hours{24 * 365};  // what a clock can hold, and long enough
    return engine_->shutdown(kind, std::chrono::steady_clock::now() + std::min(most, longest));
  }

  /// Any thread; reads, stops nobody. O(workers).
  [[nodiscard]] scheduler_snapshot metrics() const { return engine_->metrics(); }

  /// Any thread: what the workers did last, in Chrome's trace format (scheduler_options::trace_events). Throws
  /// std::logic_error if no trace is kept.
  void write_trace(std::ostream& to) const { engine_->write_trace(to); }

  [[nodiscard]] std::size_t workers() const noexcept { return engine_->workers(); }

  /// For what spawns without knowing who runs it. Lives as long as the scheduler.
  [[nodiscard]] executor& as_executor() noexcept { return *engine_; }

 private:
  struct ended {
    void operator()(engine* e) const noexcept { e->let_go(); }
  };
  std::unique_ptr<engine, ended> engine_;  ///< tasks that threw may keep it
};

}  // namespace licit::inline v0

#endif
