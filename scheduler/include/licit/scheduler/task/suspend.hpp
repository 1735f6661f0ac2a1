/// The awaitable on which others are built: suspends the task, and leaves a waker with the code that will wake it.
#ifndef LICIT_SCHEDULER_SUSPEND_HPP
#define LICIT_SCHEDULER_SUSPEND_HPP

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/waker.hpp>

namespace licit::inline v0 {

/// Lies in the frame of the coroutine that suspends.
template <class Register>
class suspend_awaiter {
 public:
  explicit suspend_awaiter(Register leave) : leave_{std::move(leave)} {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> here) {
    coroutine_header& mine = coroutine_header::running("co_await suspend_with");
    mine.suspend_at({.frame = here});
    if constexpr (std::is_void_v<std::invoke_result_t<Register&, waker>>) {
      leave_(waker(mine));
      return true;
    } else {
      if (static_cast<bool>(leave_(waker(mine)))) return true;
      if (spend_budget()) return false;
      mine.forced_yield_at(here);  // a waker that was left may wake the task then, for no reason
      return true;
    }
  }
  void await_resume() const noexcept {}

 private:
  Register leave_;
};

/// In a coroutine that was spawned or runs in `block_on`; throws std::logic_error elsewhere. Calls `leave` with a waker
/// of the task, which `leave` may store, copy or give to other threads. The task is suspended until somebody wakes it,
/// which may happen before `leave` returns; if `leave` returns false, it continues at once, or yields if it has no
/// budget left. It may continue for no reason, as after a wait on a condition variable: the caller must look again, and
/// suspend again if need be. A waker may outlive the task. What `leave` throws is rethrown; it must not have stored a
/// waker then.
template <std::invocable<waker> Register>
suspend_awaiter<Register> suspend_with(Register leave) {
  return suspend_awaiter<Register>(std::move(leave));
}

}  // namespace licit::inline v0

#endif
