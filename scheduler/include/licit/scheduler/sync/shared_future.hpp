/// A value that comes once, and for which many may wait.
#ifndef LICIT_SCHEDULER_SHARED_FUTURE_HPP
#define LICIT_SCHEDULER_SHARED_FUTURE_HPP

#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include <licit/deque/errors.hpp>
#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

namespace detail {

template <class T>
using held_value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

/// The value or the exception, and the waiters for it.
template <class T>
struct future_state {
  static_assert(!std::is_reference_v<T>, "licit: the value of a shared future is void or an object: use a pointer");

  gate<> ready{1};
  std::variant<std::monostate, std::optional<held_value<T>>, std::exception_ptr>
      result;  ///< until `ready` one writer's

  /// For a thread that has seen `ready` open.
  [[nodiscard]] const held_value<T>& value() const {
    if (const auto* const thrown = std::get_if<std::exception_ptr>(&result)) std::rethrow_exception(*thrown);
    return **std::get_if<1>(&result);
  }
};

template <class T>
struct awaiting_future {
  static constexpr const char* what = "co_await of a shared_future";
  std::shared_ptr<future_state<T>> of;

  [[nodiscard]] bool try_now() const noexcept { return of->ready.is_open(); }
  [[nodiscard]] bool hold() const noexcept { return try_now(); }
  [[nodiscard]] bool begin(waiter<>& who) const noexcept { return of->ready.pass_or_wait(who); }
  [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->ready.cancel(who); }
  void undo() const noexcept {}
  [[nodiscard]] const held_value<T>& finish(ending /*how*/, answer /*what*/) const { return of->value(); }
};

}  // namespace detail

/// Copies wait for the same value. Different threads may use copies; a copy that is empty or moved from may only be
/// assigned to or destroyed.
template <class T>
class shared_future {
 public:
  shared_future() = default;
  explicit shared_future(std::shared_ptr<detail::future_state<T>> of) noexcept : of_{std::move(of)} {}

  [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }
  /// Any thread. Whether there is a value or an exception. Wait-free.
  [[nodiscard]] bool done() const noexcept { return of_->ready.is_open(); }

  /// `const T& value = co_await future;` in a coroutine that was spawned or runs in `block_on`. The value lives as long
  /// as a future or its promise. Rethrows the exception; throws std::future_error (broken_promise) if the promise is
  /// gone, and std::logic_error if it has to wait outside of such a coroutine. Costs one of the budget.
  [[nodiscard]] auto operator co_await() const noexcept {
    return detail::sync_awaiter<detail::awaiting_future<T>>(of_);
  }
  /// A thread that is in no task. Blocks. Throws the same, and std::system_error (resource_deadlock_would_occur) in a
  /// task that would have to wait.
  const detail::held_value<T>& get() const {
    if (done()) return of_->value();
    return detail::wait_in_thread(detail::awaiting_future<T>{of_});
  }

 private:
  std::shared_ptr<detail::future_state<T>> of_;
};

/// Brings the value. Move-only; one thread at a time may use it. If it is destroyed without a value or an exception,
/// all waiters get std::future_error (broken_promise).
template <class T>
class shared_promise {
 public:
  /// Throws std::bad_alloc.
  shared_promise() : of_{std::make_shared<detail::future_state<T>>()} {}
  shared_promise(shared_promise&&) noexcept = default;
  shared_promise& operator=(shared_promise&& o) noexcept {
    shared_promise other(std::move(o));
    std::swap(of_, other.of_);
    return *this;
  }
  ~shared_promise() {
    if (of_ != nullptr && !of_->ready.is_open()) {
      set_exception(std::make_exception_ptr(std::future_error(std::future_errc::broken_promise)));
    }
  }

  [[nodiscard]] shared_future<T> future() const noexcept { return shared_future<T>(of_); }
  /// Call one of these, once: sets the value or the exception, and wakes all waiters. One short lock. Throws what
  /// constructing the value throws (nothing has changed then), std::future_error (promise_already_satisfied) at a
  /// second call, and std::invalid_argument if the exception is a null pointer.
  template <class... With>
  void set_value(With&&... with) {
    expect_first();
    of_->result.template emplace<1>(std::in_place, std::forward<With>(with)...);
    of_->ready.open();
  }
  void set_exception(std::exception_ptr thrown) {
    if (thrown == nullptr) detail::raise(std::invalid_argument("licit: set_exception: a null pointer"));
    expect_first();
    of_->result.template emplace<2>(std::move(thrown));
    of_->ready.open();
  }

 private:
  void expect_first() const {
    if (of_->ready.is_open()) detail::raise(std::future_error(std::future_errc::promise_already_satisfied));
  }

  std::shared_ptr<detail::future_state<T>> of_;
};

}  // namespace licit::inline v0

#endif
