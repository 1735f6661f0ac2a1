/// A work-stealing scheduler: threads that run tasks, and sleep without a timeout while there are none.
///
///     licit::scheduler all{{.workers = 4}};
///     auto answer = all.spawn([] { return 42; });
///     answer.get();
///
/// scheduler/README.md states the guarantees, the order in which tasks run, and how far that is checked.
#ifndef LICIT_SCHEDULER_SCHEDULER_HPP
#define LICIT_SCHEDULER_SCHEDULER_HPP

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <ranges>
#include <utility>

#include <licit/deque/version.hpp>
#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/engine.hpp>
#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/fork/measure_span.hpp>
#include <licit/scheduler/metrics/metrics_snapshot.hpp>
#include <licit/scheduler/scheduler_options.hpp>
#include <licit/scheduler/task/block_on.hpp>
#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/scope.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/task_join.hpp>
#include <licit/scheduler/task/unconstrained.hpp>
#include <licit/scheduler/task/when.hpp>
#include <licit/scheduler/task/yield.hpp>
#include <licit/scheduler/time/reactor.hpp>

namespace licit::inline v0 {

class scheduler {
 public:
  /// Starts the threads, and returns when all have started. Throws std::invalid_argument that names an option and its
  /// range, std::system_error that names a thread that cannot be created or bound to its processors, std::bad_alloc,
  /// std::logic_error if another scheduler drives the reactor, and what `on_thread_start` throws. No thread is left
  /// then.
  explicit scheduler(const scheduler_options& options = {}) : engine_{detail::engine::make(options)} {}

  /// Calls `shutdown(cancel)` without a limit: blocks until the running tasks have ended or suspend. Callables that
  /// take a stop token learn of it there; their stop callbacks run in this thread. In a task of this scheduler, in
  /// `enter` and in a join of it the destructor ends the program.
  ~scheduler() {
    if (engine_ != nullptr) engine_->end();
  }
  /// A moved-from scheduler can only be destroyed.
  scheduler(scheduler&&) noexcept = default;
  scheduler& operator=(scheduler&&) = delete;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Any thread, also another scheduler's worker. Makes a task of the callable, with copies of the arguments, or of the
  /// coroutine. The task runs once, and with it the coroutine that the callable returns, if it returns one. From a task
  /// of this scheduler it goes to the worker's own slot, from elsewhere to the inject queue. Lock-free, apart from the
  /// allocation. Throws executor_closed after shutdown has begun (in this scheduler's tasks only if that cancels),
  /// std::bad_alloc, and what moving the callable throws. Nothing has started then.
  template <class F, class... Args>
    requires detail::spawnable_with<F, Args...>
  auto spawn(F&& callable, Args&&... arguments) {
    return licit::spawn(*engine_, std::forward<F>(callable), std::forward<Args>(arguments)...);
  }
  template <class T>
  join_handle<T> spawn(task<T> body) {
    return licit::spawn(*engine_, std::move(body));
  }

  /// The same for a task with a name in traces and metrics, or for one worker alone: `spawn_with({.name = "parse"},
  /// f)`. Throws also std::out_of_range (there is no such worker).
  template <class... Body>
  auto spawn_with(const spawn_options& how, Body&&... body) {
    return licit::spawn_with(*engine_, how, std::forward<Body>(body)...);
  }
  /// The same, for worker `worker` alone, from 0 to workers() - 1. No other worker steals the task, and whichever
  /// thread wakes it, it goes on there: for what belongs to a thread or a processor. Such tasks run in the order in
  /// which they were spawned or woken, and have every other turn of their worker beside its other tasks. They wait for
  /// that worker however long it takes.
  template <class... Body>
  auto spawn_on(std::size_t worker, Body&&... body) {
    return spawn_with({.worker = worker}, std::forward<Body>(body)...);
  }

  /// Any thread. Many tasks by one announcement, all or none (task/spawn.hpp): of a range of callables or coroutines;
  /// or n tasks, of which the i-th calls a copy of `callable` with i. Returns their handles, in order.
  template <std::ranges::sized_range Bodies>
  auto spawn_all(Bodies&& bodies) {
    return licit::spawn_all(*engine_, std::forward<Bodies>(bodies));
  }
  template <class F>
  auto spawn_n(std::size_t n, const F& callable) {
    return licit::spawn_n(*engine_, n, callable);
  }

  /// Any thread that is not in a task. Runs the coroutine on the calling thread, blocks while it is suspended, and
  /// returns its value or throws its exception. What it spawns goes to the scheduler. Before the thread blocks, it runs
  /// the task for which the coroutine waits (scheduler_options::waiters_run). Throws std::bad_alloc, and in a
  /// task std::system_error (resource_deadlock_would_occur); the coroutine has not run then. The scheduler may be
  /// destroyed meanwhile: then spawns and sleeps in the coroutine throw executor_closed.
  template <class T>
  T block_on(task<T> body) {
    return licit::block_on(*engine_, std::move(body));
  }
  template <class F, class... Args>
    requires detail::makes_task<F, Args...>
  decltype(auto) block_on(F&& callable, Args&&... arguments) {
    return licit::block_on(*engine_, std::forward<F>(callable), std::forward<Args>(arguments)...);
  }

  /// Any thread: `licit::join` and `licit::enter` in this scheduler (fork/join.hpp). From outside, the calling thread
  /// takes part in the scheduler until the call returns. The scheduler's end waits for it if it has a guest's place;
  /// otherwise what it spawns after that throws executor_closed.
  template <std::invocable... F>
    requires(sizeof...(F) > 1)
  auto join(F&&... callables) {
    return enter([&] { return licit::join(std::forward<F>(callables)...); });
  }
  template <std::invocable F>
  decltype(auto) enter(F&& body) {
    if (current_executor() == engine_.get()) return std::invoke(std::forward<F>(body));
    const executor_hold until_it_returns(*engine_);  // a thread without a guest's place is no visitor
    return licit::enter(*engine_, std::forward<F>(body));
  }
  /// Any thread: `licit::measure_span` in this scheduler (fork/measure_span.hpp). Work and span of what `body` forks.
  template <std::invocable F>
  [[nodiscard]] span_report measure_span(F&& body, const span_options& options = {}) {
    return enter([&] { return licit::measure_span(std::forward<F>(body), options); });
  }
  template <std::invocable F>
  std::invoke_result_t<F> measure_span(span_report& into, F&& body, const span_options& options = {}) {
    return enter(
        [&]() -> std::invoke_result_t<F> { return licit::measure_span(into, std::forward<F>(body), options); });
  }

  /// In a coroutine that was spawned or runs in `block_on`, of this or another executor: `co_await all.schedule();`
  /// goes on as a task of this scheduler (task/yield.hpp). Throws executor_closed there after shutdown has begun, as a
  /// spawn from outside does; the coroutine then stays where it was.
  [[nodiscard]] hop_awaiter schedule() noexcept { return engine_->executor::schedule(); }

  /// Any thread except this scheduler's workers, and not in a task of this scheduler that another thread runs, in a
  /// join that it has entered, or in `on_unobserved`: there it throws std::logic_error. Refuses new tasks, and waits
  /// until no task is left, but no longer than `most`. If none is left, the threads have ended when it returns; they,
  /// `on_thread_stop` and `on_stall` are waited for beyond `most`. Only a call from `on_stall`, while another call is
  /// under way, returns before they have ended. Otherwise they go on, and shutdown may be called again, to drain
  /// further or to cancel. The report counts every task. Concurrent calls wait for one another, even beyond their
  /// limits. A cancellation takes effect before that, also on a draining that is under way.
  shutdown_report shutdown(shutdown_kind kind = shutdown_kind::drain) { return engine_->shutdown(kind, {}); }
  template <class Rep, class Period>
  shutdown_report shutdown(shutdown_kind kind, std::chrono::duration<Rep, Period> most) {
    return engine_->shutdown(kind, detail::end_of(most));
  }

  /// Any thread. Reads the workers' counters, and stops no worker. O(workers). Throws std::bad_alloc.
  [[nodiscard]] scheduler_snapshot metrics() const { return engine_->metrics(); }

  /// Any thread. Writes the workers' latest events in Chrome's trace format, and stops no worker. Throws
  /// std::logic_error if scheduler_options::trace_events is 0, and std::bad_alloc.
  void write_trace(std::ostream& to) const { engine_->write_trace(to); }

  [[nodiscard]] std::size_t workers() const noexcept { return engine_->workers(); }

  /// Any thread. For code that spawns without knowing the scheduler's type. Valid as long as the scheduler.
  [[nodiscard]] executor& as_executor() noexcept { return *engine_; }

 private:
  struct ended {
    void operator()(detail::engine* e) const noexcept { e->let_go(); }
  };
  std::unique_ptr<detail::engine, ended> engine_;  ///< tasks that threw may keep it
};

}  // namespace licit::inline v0

#endif
