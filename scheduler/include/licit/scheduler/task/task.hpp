/// The coroutine type of tasks.
#ifndef LICIT_SCHEDULER_TASK_HPP
#define LICIT_SCHEDULER_TASK_HPP

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/frame_memory.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

template <class T>
class task;

namespace detail {

/// Continues with the coroutine that awaits this one, or returns to the worker.
struct final_awaiter {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    return ended.promise().awaited_by();
  }
  void await_resume() const noexcept {}
};

template <class T>
class promise_part : public frame_memory {
 public:
  std::suspend_always initial_suspend() noexcept { return {}; }
  final_awaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { result_.set_exception(std::current_exception()); }

  void awaited_by(std::coroutine_handle<> parent) noexcept { parent_ = parent; }
  [[nodiscard]] std::coroutine_handle<> awaited_by() const noexcept { return parent_; }
  task_result<T>& result() noexcept { return result_; }

 protected:
  task_result<T> result_;

 private:
  std::coroutine_handle<> parent_ = std::noop_coroutine();
};

template <class T>
class task_promise final : public promise_part<T> {
 public:
  task<T> get_return_object() noexcept;
  template <class U>
    requires std::is_reference_v<T> || std::constructible_from<std::remove_cv_t<T>, U&&>
  void return_value(U&& value) {
    this->result_.set_value(std::forward<U>(value));
  }
};

template <>
class task_promise<void> final : public promise_part<void> {
 public:
  task<void> get_return_object() noexcept;
  void return_void() { result_.set_value(); }
};

}  // namespace detail

/// A coroutine that has not started. Move-only. `co_await` runs it within the awaiting task; `spawn` (spawn.hpp) makes
/// it a task of its own. A `task` that is destroyed before either never runs. T may be void, a reference, or move-only.
/// The frame is allocated by new, unless the coroutine's first two parameters are std::allocator_arg and an allocator
/// or memory resource.
template <class T = void>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;

  task() = default;
  task(task&& o) noexcept : frame_{std::exchange(o.frame_, nullptr)} {}
  task& operator=(task&& o) noexcept {
    std::swap(frame_, o.frame_);
    return *this;
  }
  ~task() {
    if (frame_ != nullptr) frame_.destroy();
  }

  /// Whether this object has a coroutine.
  explicit operator bool() const noexcept { return frame_ != nullptr; }

  class awaiter;
  /// Runs the coroutine like a call, and gives its value or throws its exception. Costs one of the budget. Once only.
  awaiter operator co_await() && noexcept { return awaiter{frame_}; }

  /// For code that runs the coroutine as a task.
  [[nodiscard]] std::coroutine_handle<promise_type> frame() const noexcept { return frame_; }

 private:
  friend promise_type;
  explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}

  std::coroutine_handle<promise_type> frame_ = nullptr;
};

template <class T>
class task<T>::awaiter {
 public:
  explicit awaiter(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) {
    frame_.promise().awaited_by(parent);
    if (spend_budget()) return frame_;
    coroutine_header::running("co_await of a task").forced_yield_at(frame_);
    return std::noop_coroutine();
  }
  T await_resume() { return frame_.promise().result().take(); }

 private:
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
task<T> detail::task_promise<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}
inline task<void> detail::task_promise<void>::get_return_object() noexcept {
  return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

}  // namespace licit::inline v0

#endif
