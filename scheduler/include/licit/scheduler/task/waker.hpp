/// The right to wake a task: what a driver, a timer or a channel keeps.
#ifndef LICIT_SCHEDULER_WAKER_HPP
#define LICIT_SCHEDULER_WAKER_HPP

#include <utility>

#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0 {

/// A counted reference to a task. Copies may be used by different threads; one of them, by one thread at a time. To
/// copy one is one read-modify-write; to move it is free. It keeps the task's memory, not what a complete task held.
class waker {
 public:
  waker() = default;
  /// Of a task to which the caller has a reference.
  explicit waker(task_header& task) noexcept : task_{&task} { task.retain(); }
  waker(const waker& o) noexcept : task_{o.task_} {
    if (task_ != nullptr) task_->retain();
  }
  waker(waker&& o) noexcept : task_{std::exchange(o.task_, nullptr)} {}
  waker& operator=(waker o) noexcept {
    std::swap(task_, o.task_);
    return *this;
  }
  ~waker() {
    if (task_ != nullptr) task_->release();
  }

  /// Any thread. What was written before is visible to the task when it runs. Nothing happens if the task is to run
  /// anyway, is complete, or if this is empty. Wait-free but for the executor's queue.
  void wake() const noexcept {
    if (task_ != nullptr) task_->wake();
  }

  explicit operator bool() const noexcept { return task_ != nullptr; }
  /// Whether both wake the same task.
  friend bool operator==(const waker&, const waker&) = default;

 private:
  task_header* task_ = nullptr;
};

}  // namespace licit::inline v0

#endif
