/// A coroutine with a time limit.
#ifndef LICIT_SCHEDULER_TIMEOUT_HPP
#define LICIT_SCHEDULER_TIMEOUT_HPP

#include <chrono>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/when.hpp>
#include <licit/scheduler/time/sleep.hpp>

namespace licit::inline v0 {

namespace detail {

inline task<> sleeping(std::chrono::nanoseconds most) { co_await sleep_for(most); }

template <class T>
task<std::optional<when_value<T>>> timeout_of(task<T> body, std::chrono::nanoseconds most) {
  auto first = co_await when_any(std::move(body), sleeping(most));
  if (first.index() != 0) co_return std::nullopt;
  co_return std::optional<when_value<T>>(std::get<0>(std::move(first)));
}

/// A result that was taken from the handle counts, even if the time was over first.
template <class T>
task<> joining(join_handle<T>& handle, std::optional<when_value<T>>& got, std::exception_ptr& thrown) {
  try {
    join_awaiter<T> ends(handle, handle.header(), false);  // its own thread would run it to the end
    if constexpr (std::is_void_v<T>) {
      co_await ends;
      got.emplace();
    } else {
      got.emplace(co_await ends);
    }
  } catch (...) {
    thrown = std::current_exception();
  }
}

template <class T>
task<std::optional<when_value<T>>> timeout_of(join_handle<T>& handle, std::chrono::nanoseconds most) {
  std::optional<when_value<T>> got;
  std::exception_ptr thrown;
  if (!handle.done()) (void)co_await when_any(joining(handle, got, thrown), sleeping(most));
  const bool taken = got || thrown;
  if (!taken && handle.done()) co_await joining(handle, got, thrown);  // its child was queued behind other tasks
  if (thrown) std::rethrow_exception(thrown);
  co_return got;
}

}  // namespace detail

/// To be awaited where `when_any` may be. Runs the coroutine as a child, for `most` at most, counted from the await.
/// Its value (of void: std::monostate), or nothing if the time was over first: the child has then been cancelled, and
/// has ended. Rethrows what it throws. If `most` is not positive, the child may not even begin.
template <class T, class Rep, class Period>
[[nodiscard]] task<std::optional<when_value<T>>> timeout(task<T> body, std::chrono::duration<Rep, Period> most) {
  return detail::timeout_of(std::move(body), detail::in_nanoseconds(most));
}
/// The same for a task that already runs. A task that is complete has a value, however short the time. If the time is
/// over first, the task is not cancelled and runs on, and the handle is unchanged. The handle must live until the await
/// has returned.
template <class T, class Rep, class Period>
[[nodiscard]] task<std::optional<when_value<T>>> timeout(join_handle<T>& handle,
                                                         std::chrono::duration<Rep, Period> most) {
  return detail::timeout_of(handle, detail::in_nanoseconds(most));
}

}  // namespace licit::inline v0

#endif
