/// The coroutine type of tasks.
#ifndef LICIT_SCHEDULER_TASK_HPP
#define LICIT_SCHEDULER_TASK_HPP

#include <concepts>
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/frame_memory.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

template <class T>
class task;

namespace detail {

template <class T>
class task_promise;

template <class T>
class promise_part : public linked_promise, public frame_memory<T> {
 public:
  task<T> get_return_object() noexcept;
  void unhandled_exception() noexcept { result().set_exception(std::current_exception()); }

  task_result<T>& result() noexcept { return place().result; }
  /// What stands in front of the frame.
  coroutine_place<T>& place() noexcept { return coroutine_place<T>::of(frame()); }

 private:
  void* frame() noexcept;
};

/// What `co_return` takes is what `return` in a function takes: no explicit conversion, and no reference to a
/// temporary.
template <class T, class U>
concept returnable =
    (std::is_reference_v<T> ? std::is_lvalue_reference_v<T> == std::is_lvalue_reference_v<U> &&
                                  std::is_convertible_v<std::remove_reference_t<U>*, std::remove_reference_t<T>*>
                            : std::is_convertible_v<U&&, std::remove_cv_t<T>>);

template <class T>
class task_promise final : public promise_part<T> {
 public:
  template <class U = std::remove_cv_t<T>>
    requires returnable<T, U>
  void return_value(U&& value) {
    this->result().set_value(std::forward<U>(value));
  }
};

template <>
class task_promise<void> final : public promise_part<void> {
 public:
  void return_void() { result().set_value(); }
};

}  // namespace detail

/// A coroutine that has not started. Move-only. `co_await` runs it within the awaiting task; `spawn` (spawn.hpp) makes
/// it a task of its own. A `task` that is destroyed before either never runs. T may be void, a reference, or move-only.
/// One allocation, which serves `spawn` too: from the memory of the executor in whose task or `block_on` the coroutine
/// is made, elsewhere by new; or from the allocator or memory resource that follows std::allocator_arg as the
/// coroutine's second parameter. The memory must outlive the coroutine, and its handles and wakers.
template <class T = void>
class [[nodiscard]] task {
 public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;

  task() = default;
  task(task&& o) noexcept : frame_{o.release()} {}
  task& operator=(task&& o) noexcept {
    std::swap(frame_, o.frame_);
    return *this;
  }
  ~task() {
    if (frame_ != nullptr) detail::await_link::destroy(frame_, frame_.promise());
  }

  /// Whether this object has a coroutine.
  explicit operator bool() const noexcept { return frame_ != nullptr; }

  class awaiter;
  /// Runs the coroutine like a call, and gives its value or throws its exception; this object is then empty. Costs one
  /// of the budget. Throws std::logic_error if there is no coroutine: it was awaited before, or moved from.
  awaiter operator co_await() && {
    if (frame_ == nullptr) throw std::logic_error("licit: co_await of an empty task (awaited before, or moved from)");
    return awaiter(release());
  }

  /// For code that runs the coroutine as a task.
  [[nodiscard]] std::coroutine_handle<promise_type> frame() const noexcept { return frame_; }
  std::coroutine_handle<promise_type> release() noexcept { return std::exchange(frame_, nullptr); }

 private:
  template <class>
  friend class detail::promise_part;
  explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_{frame} {}

  std::coroutine_handle<promise_type> frame_ = nullptr;
};

template <class T>
class task<T>::awaiter {
 public:
  explicit awaiter(std::coroutine_handle<promise_type> frame) noexcept
      : link_{frame, frame.promise()}, result_{&frame.promise().result()} {}
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Parent>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Parent> parent) noexcept {
    return link_.begin(parent);
  }
  T await_resume() {
    link_.end();
    return result_->take();
  }

 private:
  detail::await_link link_;
  task_result<T>* result_;
};

/// Hides from the compiler where the address is from. clang takes a promise for a local variable until late, and what
/// stands in front of the frame for something outside of it; and it would put the frame of a coroutine that it sees
/// made and destroyed into that of the caller, with nothing in front.
template <class T>
void* detail::promise_part<T>::frame() noexcept {
  void* at = std::coroutine_handle<task_promise<T>>::from_promise(static_cast<task_promise<T>&>(*this)).address();
  asm("" : "+r"(at));
  return at;
}

template <class T>
task<T> detail::promise_part<T>::get_return_object() noexcept {
  return task<T>(std::coroutine_handle<task_promise<T>>::from_address(frame()));
}

}  // namespace licit::inline v0

#endif
