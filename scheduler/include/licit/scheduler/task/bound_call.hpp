/// A callable with its arguments, as `spawn` and `block_on` take them.
#ifndef LICIT_SCHEDULER_BOUND_CALL_HPP
#define LICIT_SCHEDULER_BOUND_CALL_HPP

#include <functional>
#include <memory>
#include <memory_resource>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/task.hpp>

namespace licit::inline v0::detail {

/// Whether the callable takes a stop token before the arguments.
template <class F, class... Args>
inline constexpr bool takes_token_and = std::is_invocable_v<std::decay_t<F>, std::stop_token, std::decay_t<Args>...>;

template <class F, class... Args>
concept spawnable_with = takes_token_and<F, Args...> || std::is_invocable_v<std::decay_t<F>, std::decay_t<Args>...>;

/// The value of the task that the callable returns, if it returns one.
template <class T>
struct value_of_task {};
template <class T>
struct value_of_task<task<T>> {
  using type = T;
};

template <class F, class... Args>
using value_of_call = typename value_of_task<std::invoke_result_t<std::decay_t<F>, std::decay_t<Args>...>>::type;

/// Whether the callable, called without a token, returns a task.
template <class F, class... Args>
concept makes_task = requires { typename std::type_identity<value_of_call<F, Args...>>; };

/// Copies of the callable and its arguments.
template <class F, class... Args>
struct bound_call {
  F call;
  std::tuple<Args...> arguments;

  // clang-format off
  decltype(auto) operator()() &&
    requires(!std::is_invocable_v<F, std::stop_token, Args...>)
  {
    return std::apply(std::move(call), std::move(arguments));
  }
  decltype(auto) operator()(std::stop_token token) &&  // NOLINT(performance-unnecessary-value-param): it is moved
    requires std::is_invocable_v<F, std::stop_token, Args...>
  {
    return std::apply(std::move(call), std::tuple_cat(std::forward_as_tuple(std::move(token)), std::move(arguments)));
  }
  // clang-format on
};

/// The callable itself, or with its arguments.
template <class F>
F&& bound(F&& callable) noexcept {
  return std::forward<F>(callable);
}
template <class F, class... Args>
bound_call<std::decay_t<F>, std::decay_t<Args>...> bound(F&& callable, Args&&... arguments) {
  return {std::forward<F>(callable), {std::forward<Args>(arguments)...}};
}

/// Calls the callable where this coroutine runs, and awaits what it returned. Keeps the callable and the arguments.
template <class F, class... Args>
task<value_of_call<F, Args...>> unwrapped(std::allocator_arg_t /*tag*/, std::pmr::memory_resource* /*memory*/,
                                          F callable, Args... arguments) {
  co_return co_await std::invoke(std::move(callable), std::move(arguments)...);
}

}  // namespace licit::inline v0::detail

#endif
