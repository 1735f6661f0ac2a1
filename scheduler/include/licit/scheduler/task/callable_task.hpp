/// A task that runs a callable: one allocation for header, callable and result.
#ifndef LICIT_SCHEDULER_CALLABLE_TASK_HPP
#define LICIT_SCHEDULER_CALLABLE_TASK_HPP

#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/join_handle.hpp>
#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

namespace detail {

/// Whether the callable takes a stop token.
template <class F>
inline constexpr bool takes_token = std::is_invocable_v<F&&, std::stop_token>;

template <class F>
struct result_of_callable : std::invoke_result<F&&> {};
template <class F>
  requires takes_token<F>
struct result_of_callable<F> : std::invoke_result<F&&, std::stop_token> {};

/// A stop source, only in tasks whose callable takes a token.
template <bool Has>
struct token_source {
  std::stop_source source;
};
template <>
struct token_source<false> {};

}  // namespace detail

/// The type of the result when a callable of type F is spawned.
template <class F>
using callable_result_t = typename detail::result_of_callable<std::decay_t<F>>::type;

template <class F>
concept spawnable = std::is_invocable_v<std::decay_t<F>> || std::is_invocable_v<std::decay_t<F>, std::stop_token>;

template <class F>
class callable_task final : public task_header {
 public:
  using result_type = callable_result_t<F>;

  template <class G>
  callable_task(executor& home, std::pmr::memory_resource& memory, G&& callable)
      : task_header(home, memory, does, 1), callable_{std::in_place, std::forward<G>(callable)} {}

  /// A handle that takes over one of the initial references.
  join_handle<result_type> handle() noexcept { return {*this, result_}; }

 private:
  static callable_task& of(task_header& task) { return static_cast<callable_task&>(task); }

  static task_outcome poll(task_header& task) noexcept {
    callable_task& self = of(task);
    task_outcome how = task_outcome::finished;
    try {
      self.call();
    } catch (...) {
      self.result_.set_exception(std::current_exception());
      how = task_outcome::threw;
    }
    self.callable_.reset();
    return how;
  }

  void call() {
    const auto invoke = [this]() -> decltype(auto) {
      if constexpr (detail::takes_token<F>) {
        if (state().ask()) source_.source.request_stop();
        return std::invoke(std::move(*callable_), source_.source.get_token());
      } else {
        return std::invoke(std::move(*callable_));
      }
    };
    if constexpr (std::is_void_v<result_type>) {
      invoke();
      result_.set_value();
    } else {
      result_.set_value(invoke());
    }
  }

  static bool cancel(task_header& task) noexcept {
    of(task).result_.set_cancelled();
    of(task).callable_.reset();
    return true;
  }
  static void destroy(task_header& task) noexcept {
    callable_task& self = of(task);
    std::pmr::memory_resource& memory = self.memory();
    std::destroy_at(&self);
    memory.deallocate(&self, sizeof(callable_task), alignof(callable_task));
  }

  static void stop(task_header& task) noexcept {
    if constexpr (detail::takes_token<F>) of(task).source_.source.request_stop();
  }
  static constexpr auto stop_if_told = detail::takes_token<F> ? &stop : nullptr;

  static std::exception_ptr take_exception(task_header& task) noexcept { return of(task).result_.take_exception(); }

  static void discard(task_header& task) noexcept { of(task).result_.clear(); }
  static constexpr auto discard_if_any = task_result<result_type>::is_trivial ? nullptr : &discard;

  static constexpr task_functions does{&poll, &cancel, &destroy, stop_if_told, &take_exception, discard_if_any, false};

  task_result<result_type> result_;
  std::optional<F> callable_;  ///< destroyed by the worker that ran or cancelled it
  [[no_unique_address]] detail::token_source<detail::takes_token<F>> source_;
};

/// Any thread. Makes a task whose state is `scheduled`; the caller then calls `executor::admit` and `schedule`. `spawn`
/// does all of this. One allocation. Throws what the memory resource or the callable's move throws; nothing is left
/// then, and the caller still has the callable.
template <spawnable F>
join_handle<callable_result_t<F>> make_callable_task(executor& home, std::pmr::memory_resource& memory, F&& callable) {
  using task = callable_task<std::decay_t<F>>;
  void* const place = memory.allocate(sizeof(task), alignof(task));
  try {
    return (::new (place) task(home, memory, std::forward<F>(callable)))->handle();
  } catch (...) {
    memory.deallocate(place, sizeof(task), alignof(task));
    throw;
  }
}

}  // namespace licit::inline v0

#endif
