/// A coroutine with a limit of time.
#ifndef LICIT_SCHEDULER_TIMEOUT_HPP
#define LICIT_SCHEDULER_TIMEOUT_HPP

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/when.hpp>
#include <licit/scheduler/time/sleep.hpp>

namespace licit::inline v0 {

namespace detail {

inline task<> sleeping(std::chrono::nanoseconds most) { co_await sleep_for(most); }

template <class T>
task<T> joining(join_handle<T>& handle) {
  co_return co_await handle;
}

template <class T>
task<std::optional<when_value<T>>> timeout_of(task<T> body, std::chrono::nanoseconds most) {
  auto first = co_await when_any(std::move(body), sleeping(most));
  if (first.index() != 0) co_return std::nullopt;
  co_return std::optional<when_value<T>>(std::get<0>(std::move(first)));
}

}  // namespace detail

/// To be awaited where `when_any` may be. Runs the coroutine as a child, for `most` at most, counted from the await.
/// Its value (of void: std::monostate), or nothing if the time was over first: the child has then been cancelled, and
/// has ended. Rethrows what it throws. If `most` is not positive, the child may not even begin.
template <class T, class Rep, class Period>
[[nodiscard]] task<std::optional<when_value<T>>> timeout(task<T> body, std::chrono::duration<Rep, Period> most) {
  return detail::timeout_of(std::move(body), detail::in_nanoseconds(most));
}
/// The same for a task that runs: it is not cancelled, and runs on; the handle is then unchanged. The handle must live
/// until the await has returned.
template <class T, class Rep, class Period>
[[nodiscard]] task<std::optional<when_value<T>>> timeout(join_handle<T>& handle,
                                                         std::chrono::duration<Rep, Period> most) {
  return detail::timeout_of(detail::joining(handle), detail::in_nanoseconds(most));
}

}  // namespace licit::inline v0

#endif
