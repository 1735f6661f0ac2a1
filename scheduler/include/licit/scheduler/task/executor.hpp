/// The interface between tasks and the scheduler that runs them.
#ifndef LICIT_SCHEDULER_EXECUTOR_HPP
#define LICIT_SCHEDULER_EXECUTOR_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory_resource>
#include <span>
#include <stdexcept>

#include <licit/digest.hpp>
#include <licit/scheduler/default_memory.hpp>

namespace licit::inline v0 {

class task_header;
struct native;
template <class Policy>
class fork_side;  // fork/fork_side.hpp

namespace detail {
class timekeeper;  // time/timekeeper.hpp
}

/// Where a task is queued.
enum class placement : std::uint32_t {
  next,  ///< before the calling worker's other tasks: it was just spawned or woken
  back,  ///< behind them: it yielded, or was woken while it ran
};

/// Whether a thread waits without a limit of time.
enum class wait_limit : std::uint32_t { none, time };

/// Whether an executor knows a task that is suspended, so that a shutdown finds it.
enum class acquaintance : std::uint32_t { unknown, known, cancelled };

/// Thrown by `spawn` when the executor admits no more tasks; the callable or coroutine has been destroyed. Thrown by
/// `co_await executor.schedule()` too; the coroutine goes on where it was.
class executor_closed : public std::runtime_error {
 public:
  executor_closed() : std::runtime_error("licit: spawn: the executor takes no more tasks; it was shut down") {}
  explicit executor_closed(const char* what) : std::runtime_error(what) {}
};

class hop_awaiter;

/// An executor must outlive every run of its tasks, every visit, and every `keep` until the matching `let_go`.
class executor {
 public:
  /// Any thread. Queues the task. For each such call a worker calls `run()` of its header once, for a cancelled task
  /// too. May be called within `run()`, of the same task or of another. A class that overrides it hides the other
  /// `schedule()`, for hops, unless it has `using executor::schedule;`.
  virtual void schedule(task_header& task, placement where) noexcept = 0;

  /// Any thread. The same for several new tasks, in their order.
  virtual void schedule_all(std::span<task_header* const> tasks) noexcept {
    for (task_header* const each : tasks) schedule(*each, placement::next);
  }

  /// In a coroutine that was spawned or runs in `block_on`: `co_await executor.schedule()` goes on as a task of this
  /// executor (yield.hpp).
  [[nodiscard]] inline hop_awaiter schedule() noexcept;

  /// Any thread. Called for a task before it is first scheduled here: a new one, or by its runner one that moves here
  /// from another executor. False refuses the task.
  [[nodiscard]] virtual bool admit(task_header& /*task*/) { return true; }

  /// Any thread. Both for a new task, which is then queued to be next. False: the task is refused, and not queued.
  [[nodiscard]] virtual bool start(task_header& task) {
    if (!admit(task)) return false;
    schedule(task, placement::next);
    return true;
  }

  /// The runner of a task that threw, or a thread that keeps the executor from ending meanwhile. Retains the executor,
  /// which may be called on after its end: it refuses tasks then. Returns it; or null, if there is nothing to retain.
  [[nodiscard]] virtual executor* keep() noexcept { return nullptr; }
  /// Any thread. Releases what `keep` returned. It may be gone afterwards.
  virtual void let_go() noexcept {}

  /// Whether the executor counts visitors: threads, of whatever executor, that are to wake a task of this one, and
  /// until then have a reference to it.
  [[nodiscard]] virtual bool counts_visitors() const noexcept { return false; }
  /// If so: the runner of one of its tasks, before the task waits for another task; and the thread that has told the
  /// waiting task, or has taken the wait back, as its last use of the task. In between, the executor does not end.
  virtual void visit_begins() noexcept {}
  virtual void visit_ends() noexcept {}

  /// Any thread. Receives an exception that left a task and that nobody asked the handle for. Once for each.
  virtual void unobserved(std::exception_ptr /*thrown*/) noexcept {}  // NOLINT(performance-unnecessary-value-param)

  /// The thread whose `executor_that_waits` this is (a worker, or a thread in `block_on`): before it blocks until
  /// `waited` is complete, or a time is over, and after it. What `blocking` throws, the wait throws: std::system_error
  /// with resource_deadlock_would_occur.
  virtual void blocking(task_header& /*waited*/, wait_limit /*limit*/) {}
  virtual void unblocked() noexcept {}
  /// The same thread, before it blocks for another reason.
  virtual void about_to_block() noexcept {}

  /// Any thread with a reference to a task of this executor, in a coroutine that waits for it. A worker of this
  /// executor runs the task there and then, if it waits in a queue and the worker has not done so too often. Another
  /// thread does, if tasks may run there. Whether it ran.
  [[nodiscard]] virtual bool run_in_place(task_header& /*awaited*/) noexcept { return false; }
  /// The thread that is to call `run_in_place`. Whether it is none of the executor's own: it has no other tasks to run,
  /// so no budget bounds what it runs.
  [[nodiscard]] virtual bool is_visited() const noexcept { return false; }

  /// The runner of a task that `can_suspend()`, in its first run that suspends, before it does. Makes the task known
  /// for cancellation. A cancelled task does not stay suspended; `unknown`, for lack of memory, has to run again.
  [[nodiscard]] virtual acquaintance about_to_suspend(task_header& /*task*/) noexcept { return acquaintance::known; }

  /// Any thread that has no side in this executor: enters it, so that its joins are stolen (fork/join.hpp). Null if
  /// there is no room, or no such thing. The executor does not end before the thread has left.
  [[nodiscard]] virtual fork_side<native>* enter_forks() noexcept { return nullptr; }
  /// The same thread, outside of all joins.
  virtual void leave_forks(fork_side<native>& /*entered*/) noexcept {}

  /// The timers of this executor's tasks, and the wheel in which the calling thread should set some.
  struct timer_access {
    detail::timekeeper* keeper = nullptr;  ///< null: there are none
    std::size_t wheel = 0;
  };
  /// Any thread.
  [[nodiscard]] virtual timer_access timers_here() noexcept { return {}; }

  /// The memory of tasks. Any thread may free in it. It must outlive every handle and waker.
  [[nodiscard]] virtual std::pmr::memory_resource& memory() noexcept { return default_memory(); }

  /// Any thread. Whether the calling binary uses the copy of licit that this executor uses. If each has linked the
  /// archive, they have no contexts in common. Hidden: a program that exports its functions would lend this one to its
  /// plug-ins.
  [[nodiscard, gnu::visibility("hidden")]] bool is_of_this_copy() const noexcept { return copy_ == detail::this_copy; }

 protected:
  executor() = default;
  executor(const executor&) = default;
  executor& operator=(const executor&) = default;
  ~executor() = default;

 private:
  const char* copy_ = detail::this_copy;
};

namespace detail {

/// For a call that is to make a task the executor's. Throws std::logic_error.
[[gnu::visibility("hidden")]] inline void expect_this_copy(const executor& to) {
  if (to.is_of_this_copy()) [[likely]]
    return;
  throw std::logic_error(
      "licit: spawn or schedule: the executor is of another binary, which has linked a copy of licit of its own: link "
      "both with the shared library");
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
