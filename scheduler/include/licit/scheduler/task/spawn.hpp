/// Starting tasks.
#ifndef LICIT_SCHEDULER_SPAWN_HPP
#define LICIT_SCHEDULER_SPAWN_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/scheduler/task/bound_call.hpp>
#include <licit/scheduler/task/callable_task.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

/// What traces and metrics call a task: a string literal, or nothing. Costs one pointer a task.
class task_name {
 public:
  constexpr task_name() = default;
  /// `consteval`: text that is gone some day does not compile.
  template <std::size_t Size>
  consteval task_name(const char (&text)[Size]) : text_{text} {  // NOLINT: meant to be implicit
    if (text[Size - 1] != '\0') a_name_is_a_string_literal();    // nor does an array whose text may change compile
  }

  /// Null if there is none.
  [[nodiscard]] constexpr const char* text() const { return text_; }

 private:
  /// No constant expression calls it, so a misuse does not compile.
  static void a_name_is_a_string_literal() {}

  const char* text_ = nullptr;
};

struct spawn_options {
  /// The only worker that runs the task, and continues it whoever wakes it; none: any worker.
  std::optional<std::size_t> worker{};
  task_name name{};

  /// For a task that is not admitted yet. Throws std::out_of_range (the worker is beyond every scheduler's).
  void apply_to(task_header& task) const {
    if (worker && *worker >= task_header::anywhere) throw std::out_of_range("licit: spawn: there is no such worker");
    if (worker) task.bound_to = static_cast<std::uint32_t>(*worker);
    task.name = name.text();
  }
};

namespace detail {

/// Admits and queues a task that was just made. If it throws, the task does not run.
[[gnu::visibility("hidden")]] inline void start(executor& to, task_header& task, const spawn_options* how = nullptr) {
  bool accepted = false;
  try {
    expect_this_copy(to);
    if (how != nullptr) how->apply_to(task);
    accepted = to.start(task);
  } catch (...) {
    task.abandon();
    throw;
  }
  if (!accepted) {
    task.abandon();
    throw executor_closed();
  }
}

/// Admits all and queues them at once, or none: then none has run or will.
template <class T>
[[gnu::visibility("hidden")]] std::vector<join_handle<T>> started_all(executor& to,
                                                                      std::vector<join_handle<T>> handles) {
  std::vector<task_header*> tasks;
  std::size_t admitted = 0;
  try {
    expect_this_copy(to);
    tasks.reserve(handles.size());
    for (const join_handle<T>& each : handles) {
      if (!to.admit(each.header())) throw executor_closed();
      tasks.push_back(&each.header());
      ++admitted;
    }
  } catch (...) {
    for (std::size_t i = 0; i != handles.size(); ++i) {
      if (i >= admitted) {
        handles[i].header().abandon();
      } else {  // the executor has counted it, so a worker has to complete it
        handles[i].header().cancel();
        to.schedule(handles[i].header(), placement::next);
      }
    }
    throw;
  }
  to.schedule_all(tasks);
  return handles;
}

/// A vector of what `make(i)` makes for i from 0 to n - 1: tasks that are not admitted yet. If it throws, there is
/// none.
template <class Make>
auto all_made(std::size_t n, Make&& make) {
  std::vector<decltype(make())> handles;
  handles.reserve(n);
  try {
    while (handles.size() != n) handles.push_back(make());
  } catch (...) {
    for (auto& each : handles) each.header().abandon();
    throw;
  }
  return handles;
}

inline executor& current_or_throw() {
  executor* const here = current_executor();
  if (here == nullptr) {
    throw std::logic_error(
        "licit: spawn: this thread is neither a worker nor in block_on, as far as this binary's copy of licit knows: "
        "name the executor; in a plug-in of a program that uses licit, link both with the shared library");
  }
  return *here;
}

/// Any thread. Makes a task of what `spawn` takes, for `started`. See `spawn` for what it throws.
template <class T>
join_handle<T> made(executor& to, task<T> body) {
  return make_coroutine_task(to, std::move(body));
}
template <class F, class... Args>
  requires spawnable_with<F, Args...>
auto made(executor& to, F&& callable, Args&&... arguments) {
  if constexpr (makes_task<F, Args...>) {
    return made(to, unwrapped<std::decay_t<F>, std::decay_t<Args>...>(
                        std::allocator_arg, &to.memory(), std::forward<F>(callable), std::forward<Args>(arguments)...));
  } else {
    static_assert(!makes_task<F, std::stop_token, Args...>,
                  "licit: a callable that returns a task takes no stop token");
    return make_callable_task(to, to.memory(), bound(std::forward<F>(callable), std::forward<Args>(arguments)...));
  }
}

}  // namespace detail

/// Any thread. A worker runs the coroutine as a task of its own. Allocates nothing: the task is in the coroutine's
/// block. Throws executor_closed, and std::invalid_argument if `body` has no coroutine.
template <class T>
join_handle<T> spawn(executor& to, task<T> body) {
  join_handle<T> handle = detail::made(to, std::move(body));
  detail::start(to, handle.header());
  return handle;
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
  auto handle = detail::made(to, std::forward<F>(callable), std::forward<Args>(arguments)...);
  detail::start(to, handle.header());
  return handle;
}

/// The same for a task with a name, or for one worker alone. Throws also std::out_of_range (there is no such worker).
template <class... Body>
auto spawn_with(executor& to, const spawn_options& how, Body&&... body) {
  auto handle = detail::made(to, std::forward<Body>(body)...);
  detail::start(to, handle.header(), &how);
  return handle;
}

/// Any thread. Makes a task of each element of the range. Elements are callables or `task`s; they are moved out of a
/// container that is an rvalue, and copied from an lvalue or a view. The tasks are queued in their order and announced
/// once: each worker that finds some of them wakes the next. All or none: after an exception (of an allocation, a copy
/// or `admit`, or executor_closed) no task has run and none will, though workers may still have to destroy some. O(n).
template <std::ranges::sized_range Bodies>
auto spawn_all(executor& to, Bodies&& bodies) {
  auto next = std::ranges::begin(bodies);
  return detail::started_all(to, detail::all_made(std::ranges::size(bodies), [&] {
                               constexpr bool has_them = !std::is_lvalue_reference_v<Bodies> &&
                                                         !std::ranges::view<std::remove_cvref_t<Bodies>> &&
                                                         !std::ranges::borrowed_range<Bodies>;
                               if constexpr (!has_them) {
                                 return detail::made(to, *next++);
                               } else {
                                 return detail::made(to, std::ranges::iter_move(next++));
                               }
                             }));
}

/// The same for n tasks, of which task i calls a copy of `callable` with i, from 0 to n - 1. Throws std::length_error
/// if no std::vector has so many handles.
template <class F>
  requires std::copy_constructible<std::decay_t<F>> && detail::spawnable_with<F, std::size_t>
auto spawn_n(executor& to, std::size_t n, const F& callable) {
  return detail::started_all(
      to, detail::all_made(n, [&, i = std::size_t{0}]() mutable { return detail::made(to, callable, i++); }));
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
template <std::ranges::sized_range Bodies>
auto spawn_all(Bodies&& bodies) {
  return spawn_all(detail::current_or_throw(), std::forward<Bodies>(bodies));
}
template <class F>
auto spawn_n(std::size_t n, const F& callable) {
  return spawn_n(detail::current_or_throw(), n, callable);
}

}  // namespace licit::inline v0

#endif
