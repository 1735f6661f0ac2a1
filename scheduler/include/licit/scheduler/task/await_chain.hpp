/// The links between coroutines that await one another.
#ifndef LICIT_SCHEDULER_AWAIT_CHAIN_HPP
#define LICIT_SCHEDULER_AWAIT_CHAIN_HPP

#include <concepts>
#include <coroutine>
#include <exception>
#include <utility>

#include <licit/scheduler/task/coroutine_header.hpp>

namespace licit::inline v0::detail {

class await_link;

/// What follows the end of a coroutine, in place of the one that awaits it.
class sequel {
 public:
  /// Returns the coroutine to which control goes.
  virtual std::coroutine_handle<> begin_after() noexcept = 0;

 protected:
  ~sequel() = default;
};

/// Continues with the coroutine that awaits this one, or returns to the worker.
struct final_awaiter {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    return ended.promise().after();
  }
  void await_resume() const noexcept {}
};

/// The part of a promise that does not depend on the type of the result.
class linked_promise {
 public:
  static std::suspend_always initial_suspend() noexcept { return {}; }
  static final_awaiter final_suspend() noexcept { return {}; }

  /// The coroutine is the outermost of a task.
  void belongs_to(coroutine_header& task) noexcept { task_ = &task; }

  /// Where control goes when the coroutine has ended.
  [[nodiscard, gnu::always_inline]] std::coroutine_handle<> after() const noexcept {
    if (sequel_ != nullptr) [[unlikely]]
      return sequel_->begin_after();
    return task_ != nullptr ? task_->transfer(parent_) : parent_;
  }

  /// The task of a coroutine that runs; null: it belongs to none.
  [[nodiscard]] coroutine_header* runs_in() const noexcept { return task_; }
  /// Before the coroutine begins.
  void followed_by(sequel& next) noexcept { sequel_ = &next; }

 private:
  friend class await_link;

  std::coroutine_handle<> parent_ = std::noop_coroutine();
  coroutine_header* task_ = nullptr;  ///< null: nobody could continue it after a yield
  await_link* outer_ = nullptr;       ///< the await of this coroutine, if it has begun
  await_link* inner_ = nullptr;       ///< the await in which this coroutine is suspended, if it awaits a task
  sequel* sequel_ = nullptr;          ///< of the first of a join
};

/// The task of the coroutine that awaits `what`. Throws as coroutine_header::running does.
template <class Promise>
coroutine_header& awaiting_task(std::coroutine_handle<Promise> here, const char* what) {
  if constexpr (std::derived_from<Promise, linked_promise>) {
    if (coroutine_header* const task = here.promise().runs_in()) return *task;
  }
  return coroutine_header::running(what);
}

/// An awaited coroutine: what the awaiter owns, in the frame of the coroutine that awaits.
class await_link {
 public:
  await_link(std::coroutine_handle<> frame, linked_promise& promise) noexcept : frame_{frame}, promise_{&promise} {}
  await_link(const await_link&) = delete;
  await_link& operator=(const await_link&) = delete;
  ~await_link() {
    if (frame_ == nullptr) return;
    promise_->inner_ == nullptr ? frame_.destroy() : destroy(frame_, *promise_);
  }

  /// The coroutine begins. Returns the one to which control goes.
  template <class Parent>
  std::coroutine_handle<> begin(std::coroutine_handle<Parent> parent) noexcept {
    linked_promise& mine = *promise_;
    mine.parent_ = parent;
    mine.outer_ = this;
    if constexpr (std::derived_from<Parent, linked_promise>) {
      parent_ = &static_cast<linked_promise&>(parent.promise());
      parent_->inner_ = this;
      mine.task_ = parent_->task_;
    } else {
      mine.task_ = coroutine_header::running();
    }
    coroutine_header* const task = mine.task_;
    if (task == nullptr) return frame_;
    if (task->spend()) [[likely]]
      return task->transfer(frame_);
    task->forced_yield_at(frame_);
    return std::noop_coroutine();
  }
  /// The coroutine, which has not begun, is this object's no more.
  void release() noexcept { frame_ = nullptr; }
  /// Whether the coroutine is this object's, and has not been destroyed.
  [[nodiscard]] bool has_frame() const noexcept { return frame_ != nullptr; }
  /// The coroutine has ended, and the one that awaits it continues.
  void end() noexcept {
    if (parent_ != nullptr) parent_->inner_ = nullptr;
  }

  /// Destroys a coroutine, and before it those that it awaits, the innermost first: as their frames would one another,
  /// but on a stack of constant size. One that has ended stays until its owner has looked at the result.
  [[gnu::noinline]] static void destroy(std::coroutine_handle<> frame, linked_promise& promise) noexcept {
    linked_promise* at = &promise;
    while (at->inner_ != nullptr && !at->inner_->frame_.done()) at = at->inner_->promise_;
    while (at != &promise) {
      await_link& link = *at->outer_;
      at = link.parent_;
      std::exchange(link.frame_, nullptr).destroy();
    }
    frame.destroy();
  }

 private:
  std::coroutine_handle<> frame_;
  linked_promise* promise_;
  linked_promise* parent_ = nullptr;  ///< null: the awaiting coroutine is of another type
};

}  // namespace licit::inline v0::detail

#endif
