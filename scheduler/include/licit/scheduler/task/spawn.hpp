/// Starting tasks.
#ifndef LICIT_SCHEDULER_SPAWN_HPP
#define LICIT_SCHEDULER_SPAWN_HPP

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/bound_call.hpp>
#include <licit/scheduler/task/callable_task.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

namespace detail {

template <class T>
[[gnu::visibility("hidden")]] join_handle<T> started(executor& to, join_handle<T> handle) {
  if (!to.is_of_this_copy()) [[unlikely]] {
    handle.header().abandon();
    throw std::logic_error(
        "licit: spawn: the executor is of another binary, which has linked a copy of licit of its own: link both with "
        "the shared library");
  }
  bool admitted = false;
  try {
    admitted = to.admit(handle.header());
  } catch (...) {
    handle.header().abandon();
    throw;
  }
  if (!admitted) {
    handle.header().abandon();
    throw executor_closed();
  }
  to.schedule(handle.header(), placement::next);
  return handle;
}

inline executor& current_or_throw() {
  executor* const here = current_executor();
  if (here == nullptr) {
    throw std::logic_error(
        "licit: spawn: this thread is neither a worker nor in block_on, as far as this binary's copy of licit knows: "
        "name "
        "the executor; in a plug-in of a program that uses licit, link both with the shared library");
  }
  return *here;
}

}  // namespace detail

/// Any thread. A worker runs the coroutine as a task of its own. Allocates nothing: the task is in the coroutine's
/// block. Throws executor_closed, and std::invalid_argument if `body` has no coroutine.
template <class T>
join_handle<T> spawn(executor& to, task<T> body) {
  return detail::started(to, make_coroutine_task(to, std::move(body)));
}

/// Any thread. A worker runs the callable once, with copies of the arguments as std::thread makes them, and before
/// these a std::stop_token if it takes one. One allocation, from the executor's memory. Throws executor_closed, and
/// what make_callable_task throws.
///
/// If the callable returns a `task`, the worker runs that coroutine too, and the handle is of its result. Callable and
/// arguments live until it has ended, so a lambda's captures are there for its coroutine.
template <class F, class... Args>
  requires detail::spawnable_with<F, Args...>
auto spawn(executor& to, F&& callable, Args&&... arguments) {
  if constexpr (detail::makes_task<F, Args...>) {
    return spawn(to,
                 detail::unwrapped<std::decay_t<F>, std::decay_t<Args>...>(
                     std::allocator_arg, &to.memory(), std::forward<F>(callable), std::forward<Args>(arguments)...));
  } else {
    static_assert(!detail::makes_task<F, std::stop_token, Args...>,
                  "licit: a callable that returns a task takes no stop token");
    return detail::started(
        to, make_callable_task(to, to.memory(),
                               detail::bound(std::forward<F>(callable), std::forward<Args>(arguments)...)));
  }
}

/// The same, on the executor whose worker calls, or whose `block_on` the thread is in. Throws std::logic_error in any
/// other thread.
template <class F, class... Args>
  requires detail::spawnable_with<F, Args...>
auto spawn(F&& callable, Args&&... arguments) {
  return spawn(detail::current_or_throw(), std::forward<F>(callable), std::forward<Args>(arguments)...);
}
template <class T>
join_handle<T> spawn(task<T> body) {
  return spawn(detail::current_or_throw(), std::move(body));
}

}  // namespace licit::inline v0

#endif
