/// Starting tasks.
#ifndef LICIT_SCHEDULER_SPAWN_HPP
#define LICIT_SCHEDULER_SPAWN_HPP

#include <stdexcept>
#include <utility>

#include <licit/scheduler/task/callable_task.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

namespace detail {

template <class T>
join_handle<T> started(executor& to, join_handle<T> handle) {
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
    throw std::logic_error("licit: spawn: this thread is neither a worker nor in block_on: name the executor");
  }
  return *here;
}

}  // namespace detail

/// Any thread. A worker runs the callable once, with a std::stop_token if it takes one. One allocation, from the
/// executor's memory. Throws executor_closed, and what make_callable_task throws. If the callable returns a `task`,
/// running it only creates that coroutine: spawn `callable()` instead, and pass what the coroutine needs as parameters,
/// since a lambda's captures are gone before its coroutine runs.
template <spawnable F>
join_handle<callable_result_t<F>> spawn(executor& to, F&& callable) {
  return detail::started(to, make_callable_task(to, to.memory(), std::forward<F>(callable)));
}
/// Any thread. A worker runs the coroutine as a task of its own. One allocation besides the frame's.
template <class T>
join_handle<T> spawn(executor& to, task<T> body) {
  return detail::started(to, make_coroutine_task(to, to.memory(), std::move(body)));
}

/// The same, on the executor whose worker calls, or whose `block_on` the thread is in. Throws std::logic_error in any
/// other thread.
template <spawnable F>
join_handle<callable_result_t<F>> spawn(F&& callable) {
  return spawn(detail::current_or_throw(), std::forward<F>(callable));
}
template <class T>
join_handle<T> spawn(task<T> body) {
  return spawn(detail::current_or_throw(), std::move(body));
}

}  // namespace licit::inline v0

#endif
