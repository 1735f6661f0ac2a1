/// A completion token: `co_await` of any operation of Asio's in a `licit::task`.
#ifndef LICIT_ASIO_USE_TASK_HPP
#define LICIT_ASIO_USE_TASK_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <licit/asio/detail/operation_awaiter.hpp>
#include <licit/asio/library.hpp>

namespace licit::inline v0 {

/// What becomes of an operation's error code.
enum class asio_errors : std::uint32_t {
  thrown,    ///< as asio_system_error
  returned,  ///< as the first value
};

template <asio_errors Errors>
struct use_task_t {
  /// An executor whose objects take this token by default: `executor_with_default<asio_executor>`.
  template <class Executor>
  struct executor_with_default : Executor {
    using default_completion_token_type = use_task_t;
    // NOLINTNEXTLINE(google-explicit-constructor): as Asio's
    executor_with_default(const Executor& e) noexcept : Executor(e) {}
  };
};

/// `co_await socket.async_read_some(buffer, licit::use_task)`, in a coroutine that was spawned or runs in `block_on`;
/// throws std::logic_error elsewhere. The operation begins there, and the task is suspended until it has completed.
/// Returns its value, or a tuple of several. Throws asio_system_error if its error code says so, the exception if it
/// completes with one, and what starting it throws.
///
/// The task goes on as any task that is woken. What the operation uses may be in the frame: if the task is cancelled,
/// so is the operation, and the frames are destroyed when it has completed. Asio before 1.19, and some of its
/// operations, cannot be cancelled: the task ends when they complete by themselves.
///
/// The object's context must be an `asio_context`, or an io_context that one thread runs at a time.
inline constexpr use_task_t<asio_errors::thrown> use_task;
/// The same, but returns the error code: alone, or as the first of a tuple. `const auto [error, n] = co_await ...;`
inline constexpr use_task_t<asio_errors::returned> use_task_with_error;

/// What an operation with `use_task` returns. Await it once; the operation begins only then.
template <asio_errors Errors, class Initiation, class With, class... Args>
class [[nodiscard]] asio_operation {
 public:
  asio_operation(Initiation initiation, With with) : initiation_{std::move(initiation)}, with_{std::move(with)} {}

  auto operator co_await() && {
    return detail::operation_awaiter < Errors == asio_errors::thrown, Initiation, With,
           Args... > (std::move(initiation_), std::move(with_));
  }
  /// The same as a coroutine: for `when_any`, `spawn` and whatever else takes a task.
  auto as_task() && { return run(std::move(*this)); }

 private:
  using value = typename detail::operation_value<Errors == asio_errors::thrown, Args...>::type;
  static task<value> run(asio_operation self) { co_return co_await std::move(self); }

  Initiation initiation_;
  With with_;
};

}  // namespace licit::inline v0

/// For Asio: how an operation with this token begins.
template <licit::asio_errors Errors, class R, class... Args>
class licit::net::async_result<licit::use_task_t<Errors>, R(Args...)> {
 public:
  template <class Initiation, class Token, class... With>
  static auto initiate(Initiation&& initiation, Token&& /*token*/, With&&... with) {
    using arguments = std::tuple<std::decay_t<With>...>;
    return licit::asio_operation<Errors, std::decay_t<Initiation>, arguments, std::decay_t<Args>...>(
        std::forward<Initiation>(initiation), arguments(std::forward<With>(with)...));
  }
};

/// For Asio: where the steps of an operation run.
template <class Awaiter, class Executor>
struct licit::net::associated_executor<licit::detail::operation_handler<Awaiter>, Executor> {
  using type = licit::net::io_context::executor_type;
  static type get(const licit::detail::operation_handler<Awaiter>& of, const Executor& object) noexcept {
    return of.steps_at(licit::detail::io_context_of(object));
  }
};

#endif
