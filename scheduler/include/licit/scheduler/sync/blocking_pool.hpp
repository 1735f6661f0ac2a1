/// Threads for calls that block: files, name look-ups, libraries that wait. Workers never make them.
#ifndef LICIT_SCHEDULER_BLOCKING_POOL_HPP
#define LICIT_SCHEDULER_BLOCKING_POOL_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/engine.hpp>
#include <licit/scheduler/sync/blocking_handle.hpp>
#include <licit/scheduler/task/bound_call.hpp>

namespace licit::inline v0 {

struct blocking_options {
  std::size_t threads = 512;                                 ///< at most this many at a time; at least 1
  std::chrono::nanoseconds idle = std::chrono::seconds(10);  ///< a thread that finds nothing to do for so long ends
  std::string name = "licit-block";  ///< of the threads, with a number; the system keeps 15 characters
  std::size_t stack_bytes = 0;       ///< of each thread; 0: the system's default
};

/// Numbers of calls since the pool was made.
struct blocking_report {
  std::uint64_t finished = 0;   ///< were made
  std::uint64_t cancelled = 0;  ///< were not: cancelled, dropped by a shutdown, or no thread could be started
  std::uint64_t left = 0;       ///< are being made, or wait, at the end of the time limit
  [[nodiscard]] bool complete() const noexcept { return left == 0; }
};

/// What a pool is at. Each call counts once: where it was at some moment during the call of `metrics`.
struct blocking_snapshot {
  std::uint64_t queued = 0;     ///< wait for a thread; also if they are cancelled, until it is their turn
  std::uint64_t running = 0;    ///< are being made
  std::uint64_t finished = 0;   ///< as in `blocking_report`
  std::uint64_t cancelled = 0;  ///< the same
  std::size_t threads = 0;      ///< idle ones included

  friend bool operator==(const blocking_snapshot&, const blocking_snapshot&) = default;
};

namespace detail {

/// The threads of a pool, which the library defines.
class blocking_threads {
 public:
  static blocking_threads* make(const blocking_options& options);
  /// Takes the pool's reference to the job. Throws executor_closed; the reference is then the caller's.
  virtual void add(blocking_job& job) = 0;
  virtual blocking_report shutdown(shutdown_kind kind, std::chrono::steady_clock::time_point until) = 0;
  [[nodiscard]] virtual std::size_t threads() = 0;
  [[nodiscard]] virtual blocking_snapshot metrics() = 0;
  virtual ~blocking_threads() = default;
};

}  // namespace detail

/// Starts no thread until there is a call. A call goes to an idle thread; if there is none, a thread is started for it,
/// up to the limit; calls beyond that wait in line.
class blocking_pool {
  template <class F, class... Args>
  using call_of = decltype(detail::bound(std::declval<F>(), std::declval<Args>()...));
  template <class F, class... Args>
  using result_of = std::invoke_result_t<std::decay_t<call_of<F, Args...>>>;

 public:
  /// Throws std::invalid_argument that names an option, and std::bad_alloc.
  explicit blocking_pool(const blocking_options& options = {}) : threads_{detail::blocking_threads::make(options)} {}
  /// Calls `shutdown(cancel)` without a limit: waits for the calls that are being made.
  ~blocking_pool() = default;
  blocking_pool(const blocking_pool&) = delete;
  blocking_pool& operator=(const blocking_pool&) = delete;

  /// Any thread, and any task. The pool will call the callable with copies of the arguments. Does not wait; one short
  /// lock, and the start of a thread if the pool grows. Throws executor_closed after a shutdown has begun, and
  /// std::bad_alloc; nothing happens then.
  template <class F, class... Args>
  blocking_handle<result_of<F, Args...>> spawn(F&& callable, Args&&... arguments) {
    return blocking_handle<result_of<F, Args...>>(
        added(false, std::forward<F>(callable), std::forward<Args>(arguments)...));
  }

  /// `co_await pool.run(f, arguments...)` in a coroutine that was spawned or runs in `block_on`. The same, suspends
  /// until the call has ended, and returns its value or throws its exception. If the coroutine is cancelled, a call
  /// that has not begun is not made; one that has begun goes on, so it must not use what is in the coroutine's frame.
  template <class F, class... Args>
  [[nodiscard]] auto run(F&& callable, Args&&... arguments) {
    using result = result_of<F, Args...>;
    return detail::sync_awaiter<detail::awaiting_job<result, detail::job_reference<result>>>(
        added(true, std::forward<F>(callable), std::forward<Args>(arguments)...));
  }

  /// Any thread except the pool's own, in which it throws std::logic_error. Refuses further calls. `drain` makes the
  /// calls that wait in line; `cancel` drops them, and whoever waits for one gets task_cancelled. Blocks until the
  /// calls that are being made have ended, but no longer than `limit`; a later call waits again. When
  /// all threads have left the pool, it joins them: that waits for the destructors of their thread_local variables,
  /// also beyond the limit. Of two calls at once, one joins each thread, and the other may return before.
  template <class Rep, class Period>
  blocking_report shutdown(shutdown_kind kind, std::chrono::duration<Rep, Period> limit) {
    return threads_->shutdown(kind, detail::end_of(limit));
  }
  blocking_report shutdown(shutdown_kind kind) { return shutdown(kind, std::chrono::nanoseconds::max()); }

  /// Any thread. How many threads there were a moment ago.
  [[nodiscard]] std::size_t threads() const { return threads_->threads(); }
  /// Any thread. What the pool is at. Stops no thread; one short lock.
  [[nodiscard]] blocking_snapshot metrics() const { return threads_->metrics(); }

 private:
  template <class F, class... Args>
  detail::job_reference<result_of<F, Args...>> added(bool cancels, F&& callable, Args&&... arguments) {
    using call = std::decay_t<call_of<F, Args...>>;
    auto made = std::make_unique<detail::blocking_call<result_of<F, Args...>, call>>(
        detail::bound(std::forward<F>(callable), std::forward<Args>(arguments)...));
    threads_->add(*made);
    return detail::job_reference<result_of<F, Args...>>(*made.release(), cancels);
  }

  std::unique_ptr<detail::blocking_threads> threads_;
};

/// Any thread. A pool for the program, with the default options; the binary's own if it has linked the archive. Made by
/// the first call. It is shut down by cancelling when the program exits, which waits for the calls that are being made.
blocking_pool& default_blocking_pool();

/// `default_blocking_pool().run(f, arguments...)`: `const auto text = co_await run_blocking(read_file, name);`
template <class F, class... Args>
[[nodiscard]] auto run_blocking(F&& callable, Args&&... arguments) {
  return default_blocking_pool().run(std::forward<F>(callable), std::forward<Args>(arguments)...);
}
/// `default_blocking_pool().spawn(f, arguments...)`.
template <class F, class... Args>
auto spawn_blocking(F&& callable, Args&&... arguments) {
  return default_blocking_pool().spawn(std::forward<F>(callable), std::forward<Args>(arguments)...);
}

}  // namespace licit::inline v0

#endif
