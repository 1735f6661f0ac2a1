/// The right to wake a task: what a driver, a timer or a channel keeps.
#ifndef LICIT_SCHEDULER_WAKER_HPP
#define LICIT_SCHEDULER_WAKER_HPP

#include <utility>

#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0 {

/// A counted reference to a task. Different threads may use copies; one copy is for one thread at a time. Copying costs
/// one read-modify-write, moving costs nothing. A waker keeps the task's memory alive, not what a complete task held.
template <class Task>
class basic_waker {
 public:
  basic_waker() = default;
  /// The caller must hold a reference to the task.
  explicit basic_waker(Task& task) noexcept : task_{&task} { task.retain(); }
  basic_waker(const basic_waker& o) noexcept : task_{o.task_} {
    if (task_ != nullptr) task_->retain();
  }
  basic_waker(basic_waker&& o) noexcept : task_{std::exchange(o.task_, nullptr)} {}
  basic_waker& operator=(basic_waker o) noexcept {
    std::swap(task_, o.task_);
    return *this;
  }
  ~basic_waker() {
    if (task_ != nullptr) task_->release();
  }

  /// Any thread. Schedules the task. What the caller wrote before is visible to the task when it runs. No effect if the
  /// task is already scheduled or complete, or the waker is empty. Wait-free, apart from the executor's queue.
  void wake() const noexcept {
    if (task_ != nullptr) task_->wake();
  }

  explicit operator bool() const noexcept { return task_ != nullptr; }
  /// Whether both wake the same task.
  friend bool operator==(const basic_waker&, const basic_waker&) = default;

 private:
  Task* task_ = nullptr;
};

using waker = basic_waker<task_header>;

}  // namespace licit::inline v0

#endif
