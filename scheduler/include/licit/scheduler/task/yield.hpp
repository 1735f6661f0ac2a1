/// Awaitables that let other tasks run.
#ifndef LICIT_SCHEDULER_YIELD_HPP
#define LICIT_SCHEDULER_YIELD_HPP

#include <coroutine>

#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>

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
/// that await nothing else. A coroutine that a callable drives has nobody to yield to, and goes on.
[[nodiscard]] inline budget_awaiter consume_budget() noexcept { return {}; }

}  // namespace licit::inline v0

#endif
