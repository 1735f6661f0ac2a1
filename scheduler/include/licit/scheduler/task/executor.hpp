/// What tasks ask of the scheduler that runs them.
#ifndef LICIT_SCHEDULER_EXECUTOR_HPP
#define LICIT_SCHEDULER_EXECUTOR_HPP

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <stdexcept>

#include <licit/scheduler/default_memory.hpp>

namespace licit::inline v0 {

class task_header;

/// Where a task that is to run goes.
enum class placement : std::uint8_t {
  next,  ///< just spawned or woken: before the others of the worker that calls
  back,  ///< it yielded, or was woken while it ran: behind the others
};

/// Thrown by spawn: the executor admits no more tasks. The callable or coroutine is destroyed.
class executor_closed : public std::runtime_error {
 public:
  executor_closed() : std::runtime_error("licit: spawn: the executor takes no more tasks; it was shut down") {}
};

/// It must outlive every run of its tasks, and be there as long as it is kept.
class executor {
 public:
  /// Any thread. The task is put into a queue; `run()` of its header is called once for each such call, by a worker.
  /// Also for a task that was cancelled. May be called from within `run()`, of the same task or of others.
  virtual void schedule(task_header& task, placement where) noexcept = 0;

  /// Any thread: a new task, before it is first scheduled. False: no tasks are taken any more. A task that
  /// `can_suspend()` is known to nobody else while it is suspended: who wants to cancel it later keeps a reference.
  [[nodiscard]] virtual bool admit(task_header& /*task*/) { return true; }

  /// Any thread: a task that threw keeps its executor, until its handle has been asked for the exception or is gone.
  virtual void keep() noexcept {}
  virtual void let_go() noexcept {}

  /// Any thread: an exception that left a task, of whose handle nobody asked for it. Once for each.
  virtual void unobserved(std::exception_ptr /*thrown*/) noexcept {}  // NOLINT(performance-unnecessary-value-param)

  /// A worker, in a task of this executor that is about to block its thread until `waited` is complete, and after it.
  /// May throw, and then the wait does: std::system_error, resource_deadlock_would_occur.
  virtual void blocking(const task_header& /*waited*/) {}
  virtual void unblocked() noexcept {}

  /// Where tasks are allocated. Any thread may free there; it must outlive every handle and waker.
  [[nodiscard]] virtual std::pmr::memory_resource& memory() noexcept { return default_memory(); }

 protected:
  executor() = default;
  executor(const executor&) = default;
  executor& operator=(const executor&) = default;
  ~executor() = default;
};

}  // namespace licit::inline v0

#endif
