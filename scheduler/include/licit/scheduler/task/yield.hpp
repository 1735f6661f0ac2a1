/// Awaitables that let other tasks run, or take the task to another executor.
#ifndef LICIT_SCHEDULER_YIELD_HPP
#define LICIT_SCHEDULER_YIELD_HPP

#include <coroutine>
#include <exception>
#include <utility>

#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

class yield_awaiter {
 public:
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> here) const {
    coroutine_header::running("co_await yield_now").yield_at(here);
  }
  void await_resume() const noexcept {}
};

/// In a coroutine that was spawned or runs in `block_on`: `co_await yield_now();` continues behind the worker's other
/// tasks. Throws std::logic_error elsewhere.
[[nodiscard]] inline yield_awaiter yield_now() noexcept { return {}; }

class budget_awaiter {
 public:
  [[nodiscard]] bool await_ready() const noexcept { return spend_budget(); }
  bool await_suspend(std::coroutine_handle<> here) const noexcept {
    coroutine_header* const task = coroutine_header::running();
    if (task != nullptr) task->forced_yield_at(here);
    return task != nullptr;
  }
  void await_resume() const noexcept {}
};

/// In any coroutine: `co_await consume_budget();` takes one of the run's budget, and yields if none is left. For loops
/// that await nothing else. A coroutine that a callable drives has no task to yield, and goes on.
[[nodiscard]] inline budget_awaiter consume_budget() noexcept { return {}; }

/// Lies in the frame of the coroutine that hops.
class hop_awaiter {
 public:
  explicit hop_awaiter(executor& to) noexcept : plan_{&to} {}
  [[nodiscard]] bool await_ready() const noexcept { return is_there() && spend_budget(); }
  void await_suspend(std::coroutine_handle<> here) {
    coroutine_header& mine = coroutine_header::running("co_await schedule");
    detail::expect_this_copy(*plan_.to);
    is_there() ? mine.forced_yield_at(here) : mine.hop_at(here, plan_);
  }
  void await_resume() {
    if (plan_.refused) std::rethrow_exception(std::exchange(plan_.refused, nullptr));  // it may be awaited again
  }

 private:
  [[nodiscard]] bool is_there() const noexcept {
    const coroutine_header* const task = coroutine_header::running();
    return task != nullptr && &task->home() == plan_.to;
  }

  hop plan_;
};

/// `co_await to.schedule();` in a coroutine that was spawned or runs in `block_on`: the task becomes one of executor
/// `to`, and goes on there, behind other tasks, until it ends or hops again. A task that is already there goes on at
/// once, at the cost of one unit of its budget. Throws std::logic_error outside such a coroutine; throws
/// executor_closed, and what `admit` throws, if `to` refuses the task, which then stays where it was. `to` must live
/// until it has admitted the task.
inline hop_awaiter executor::schedule() noexcept { return hop_awaiter(*this); }

}  // namespace licit::inline v0

#endif
