/// Waiters, first in, first out: a list in their own frames and stacks, and the answer that each of them gets.
///
/// A waiter lies in the frame of a coroutine or on the stack of a thread. It is linked, and unlinked, under the lock of
/// what it waits for. The giver unlinks it, answers it, and does not access it again: the waiter may be gone as soon as
/// it can see the answer. The wake-up comes after the lock is free, from what `answer` returned.
///
/// A coroutine that is destroyed while it waits takes the lock and unlinks its waiter; or it finds the waiter answered,
/// and passes on what it was given. The lock decides between the two, so nothing that was given is lost.
#ifndef LICIT_SCHEDULER_WAITER_LIST_HPP
#define LICIT_SCHEDULER_WAITER_LIST_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/short_lock.hpp>
#include <licit/scheduler/sync/waiter.hpp>

namespace licit::inline v0 {

/// All functions are called under the lock that guards the list. Each is O(1).
template <class Policy = native, class Task = task_header>
class waiter_list {
 public:
  using waiter_type = waiter<Policy, Task>;
  using wake_up = typename waiter_type::wake_up;

  [[nodiscard]] bool empty() const { return first_.read() == nullptr; }
  /// Precondition: the list is not empty.
  [[nodiscard]] waiter_type& front() const { return *first_.read(); }
  [[nodiscard]] waiter_type& back() const { return *last_.read(); }

  void link(waiter_type& last) {
    waiter_type* const before = last_.read();
    last.previous_.write(before);
    last.next_.write(nullptr);
    last.linked_.write(true);
    (before == nullptr ? first_ : before->next_).write(&last);
    last_.write(&last);
  }
  void unlink(waiter_type& one) {
    waiter_type* const next = one.next_.read();
    waiter_type* const previous = one.previous_.read();
    (previous == nullptr ? first_ : previous->next_).write(next);
    (next == nullptr ? last_ : next->previous_).write(previous);
    one.linked_.write(false);
  }

  /// Unlinks the waiter and answers it; it may be gone then. The caller wakes it when the lock is free.
  [[nodiscard]] wake_up give(waiter_type& one, answer what) {
    unlink(one);
    return one.give(what);
  }
  [[nodiscard]] wake_up answer_first(answer what) { return give(front(), what); }

 private:
  typename Policy::template plain<waiter_type*> first_;
  typename Policy::template plain<waiter_type*> last_;
};

struct wake_ups_rules {
  std::size_t most = 8;
  bool goes_on = true;  ///< a thread that has more to wake than there is room for goes on
};

/// The wake-ups that become due under a lock. There is room for a few; a caller that needs more frees the lock in
/// between.
template <class Policy = native, class Task = task_header>
class wake_ups {
 public:
  static constexpr std::size_t most = rules_of<wake_ups_rules, Policy>().most;

  /// Under the lock, which it frees. `answer(due)` answers waiters while there is room, and returns whether some are
  /// left: then the lock is free for a moment, and it is called again.
  template <class Lock, class Answer>
  static void in_rounds(Lock& lock, Answer&& answer) {
    wake_ups due;
    for (;;) {
      const bool more = answer(due) && rules_of<wake_ups_rules, Policy>().goes_on;
      lock.unlock();
      due.wake();
      if (!more) return;
      lock.lock();
    }
  }

  [[nodiscard]] bool full() const { return size_ == most; }
  void add(typename waiter<Policy, Task>::wake_up due) { due_[size_++] = due; }
  /// Without the lock.
  void wake() {
    for (std::size_t i = 0; i != size_; ++i) due_[i]();
    size_ = 0;
  }

 private:
  std::array<typename waiter<Policy, Task>::wake_up, most> due_;
  std::size_t size_ = 0;
};

}  // namespace licit::inline v0

#endif
