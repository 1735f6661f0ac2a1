/// The interface between tasks and the scheduler that runs them.
#ifndef LICIT_SCHEDULER_EXECUTOR_HPP
#define LICIT_SCHEDULER_EXECUTOR_HPP

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <stdexcept>

#include <licit/scheduler/default_memory.hpp>

namespace licit::inline v0 {

class task_header;

/// Where a task is queued.
enum class placement : std::uint8_t {
  next,  ///< before the calling worker's other tasks: it was just spawned or woken
  back,  ///< behind them: it yielded, or was woken while it ran
};

/// Thrown by `spawn` when the executor admits no more tasks. The callable or coroutine has been destroyed.
class executor_closed : public std::runtime_error {
 public:
  executor_closed() : std::runtime_error("licit: spawn: the executor takes no more tasks; it was shut down") {}
};

/// An executor must outlive every run of its tasks, and every `keep` until the matching `let_go`.
class executor {
 public:
  /// Any thread. Queues the task. For each such call a worker calls `run()` of its header once, for a cancelled task
  /// too. May be called within `run()`, of the same task or of another.
  virtual void schedule(task_header& task, placement where) noexcept = 0;

  /// Any thread. Called for a new task before it is first scheduled. False refuses the task. Nobody else knows a task
  /// that `can_suspend()` while it is suspended: an executor that wants to cancel it later must retain a reference.
  [[nodiscard]] virtual bool admit(task_header& /*task*/) { return true; }

  /// Any thread. Retain and release the executor: a task that threw needs it until the exception was asked for or its
  /// handle is gone.
  virtual void keep() noexcept {}
  virtual void let_go() noexcept {}

  /// Any thread. Receives an exception that left a task and that nobody asked the handle for. Once for each.
  virtual void unobserved(std::exception_ptr /*thrown*/) noexcept {}  // NOLINT(performance-unnecessary-value-param)

  /// A worker, in a task of this executor: before it blocks its thread until `waited` is complete, and after it. What
  /// `blocking` throws, the wait throws: std::system_error with resource_deadlock_would_occur.
  virtual void blocking(const task_header& /*waited*/) {}
  virtual void unblocked() noexcept {}

  /// The memory of tasks. Any thread may free in it. It must outlive every handle and waker.
  [[nodiscard]] virtual std::pmr::memory_resource& memory() noexcept { return default_memory(); }

 protected:
  executor() = default;
  executor(const executor&) = default;
  executor& operator=(const executor&) = default;
  ~executor() = default;
};

}  // namespace licit::inline v0

#endif
