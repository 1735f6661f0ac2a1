/// A waiter, in the frame of a coroutine or on the stack of a thread, and the answer that it gets.
///
/// The giver does not access the waiter after it has answered: the waiter may be gone as soon as it can see the answer.
/// The wake-up comes later, when the lock of the list is free.
#ifndef LICIT_SCHEDULER_WAITER_HPP
#define LICIT_SCHEDULER_WAITER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiters_orders.hpp>

namespace licit::inline v0 {

class executor;
class task_header;

/// What a waiter was told. The object that it waits for decides what that means.
enum class answer : std::uint32_t { none, given, closed };

struct waiter_rules {
  bool lends_first = true;  ///< the giver takes a reference to the task before the task can see the answer; or after
};

/// Task has `lend()`, a reference for the thread that will wake it, and `wake_lent(executor*)`, with what that
/// returned.
template <class Policy = native, class Task = task_header>
class waiter {
  template <fixed_string Name>
  static constexpr auto at = site_of<waiters_orders, Name>;

 public:
  using word = typename Policy::template atomic<std::uint32_t>;

  /// A wake-up that is due. Copies are the same one; it is for one thread, once.
  struct wake_up {
    Task* task = nullptr;         ///< null: a thread waits
    executor* visited = nullptr;  ///< what the task's `lend` returned
    word* slept_on = nullptr;     ///< what that thread sleeps on; it may be gone

    void operator()() const {
      if (task != nullptr) {
        task->wake_lent(visited);
      } else {
        slept_on->futex_wake_one("answer.wake");
      }
    }
  };

  /// For the calling thread, until `belongs_to`.
  waiter() = default;
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;
  ~waiter() = default;

  /// Before it is linked. For a task, which lives until it is answered or has unlinked this.
  void belongs_to(Task& who) { who_ = &who; }

  /// The waiting task or thread. Whether there is an answer; what the giver did before it is then visible.
  [[nodiscard]] answer answered() const { return static_cast<answer>(answer_.load(at<"answer.look">)); }

  /// The thread that waits. Blocks until there is an answer.
  answer sleep() const {
    for (;;) {
      const std::uint32_t seen = answer_.load(at<"answer.wait">);
      if (seen != none) return static_cast<answer>(seen);
      answer_.futex_wait(none, at<"answer.sleep">);
    }
  }

  /// The same, for at most `most`; returns `none` if there is no answer yet. It may be answered until it is unlinked.
  answer sleep_for(std::chrono::nanoseconds most) const {
    if (answered() == answer::none) answer_.futex_wait_for(none, most, at<"answer.doze">);
    return answered();
  }

  // Under the lock.

  /// For a waiter that takes its wait back: false means that it was answered.
  [[nodiscard]] bool is_linked() const { return linked_.read(); }
  /// What it asks for, as the number of permits or a place for an item. Before it is linked, or under the lock; it may
  /// read them when it is answered.
  typename Policy::template plain<std::size_t> asks;
  typename Policy::template plain<void*> item;

 private:
  template <class, class>
  friend class waiter_list;

  static constexpr auto rules = rules_of<waiter_rules, Policy>();
  static constexpr std::uint32_t none = 0;

  /// It is not linked any more.
  [[nodiscard]] wake_up give(answer what) {
    wake_up due{who_, nullptr, &answer_};
    if (rules.lends_first && due.task != nullptr) due.visited = due.task->lend();
    answer_.store(static_cast<std::uint32_t>(what), at<"answer.give">);  // read by answer.look, answer.wait
    if (!rules.lends_first && due.task != nullptr) due.visited = due.task->lend();
    return due;
  }

  typename Policy::template plain<waiter*> next_;
  typename Policy::template plain<waiter*> previous_;
  typename Policy::template plain<bool> linked_;
  Task* who_ = nullptr;
  word answer_;
};

}  // namespace licit::inline v0

#endif
