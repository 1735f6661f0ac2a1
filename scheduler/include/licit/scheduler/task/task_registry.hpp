/// The registry of tasks that can suspend, so that a shutdown can cancel suspended tasks that nobody else knows.
#ifndef LICIT_SCHEDULER_TASK_REGISTRY_HPP
#define LICIT_SCHEDULER_TASK_REGISTRY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>
#include <licit/scheduler/task/task_registry_orders.hpp>

namespace licit::inline v0 {

/// What a push does at a registry that is closed.
struct task_registry_rules {
  bool stays_closed = true;     ///< it refuses
  bool unlinks_refused = true;  ///< the refused chain from the tasks that it was to be put before
};

/// A stack of tasks, pushed by compare-exchange and taken only as a whole. It holds a reference to each. A thread that
/// is stopped in a call stops nobody, and keeps at most the tasks of its sweep.
template <class Policy = native, class Task = coroutine_header>
class task_registry {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_registry_orders, Name>;

 public:
  task_registry() = default;
  task_registry(const task_registry&) = delete;
  task_registry& operator=(const task_registry&) = delete;

  /// Precondition: no other thread uses the registry. Releases the remaining tasks.
  ~task_registry() {
    each_of(close(), [](Task& t) { t.release(); });
  }

  /// Any thread, with a reference to the task. Adds the task. False: the registry is closed, and nothing has changed.
  /// Lock-free. O(1), apart from a sweep whenever there are twice as many tasks as after the last sweep.
  [[nodiscard]] bool add(Task& task) {
    task.retain();
    if (!push(task, task)) {
      task.release();
      return false;
    }
    if (count_.fetch_add(1, at<"add.count">) + 1 >= std::max(limit_.load(at<"add.limit">), least)) sweep();
    return true;
  }

  /// Any thread. Releases the complete tasks, and returns how many. O(all tasks). If `cancel_all` runs meanwhile it
  /// does not see the other tasks; this call then cancels them.
  std::size_t sweep() {
    Task* const all = take();
    Task* first = nullptr;
    Task* last = nullptr;
    std::uint32_t dropped = 0;
    each_of(all, [&](Task& t) {
      if (t.done()) {
        ++dropped;
        t.release();
      } else {
        t.registered.write(first);
        if (last == nullptr) last = &t;
        first = &t;
      }
    });
    const std::uint32_t left = count_.fetch_sub(dropped, at<"sweep.count">) - dropped;
    limit_.store(2 * left, at<"sweep.limit">);
    if (first != nullptr && !push(*first, *last)) cancel(first);
    return dropped;
  }

  /// Any thread. Refuses new tasks from now on, cancels all existing ones, and returns how many it released. Sweeps
  /// that are under way may cancel more.
  std::size_t cancel_all() { return cancel(close()); }

  /// Any thread. An estimate of the number of tasks, with those completed since the last sweep.
  [[nodiscard]] std::size_t size() const { return count_.load(at<"size.count">); }

 private:
  static constexpr auto rules = rules_of<task_registry_rules, Policy>();
  static constexpr std::uint32_t least = 64;  ///< `add` does not sweep fewer tasks
  alignas(Task*) static inline char mark = 0;

  /// The value of `head_` when the registry is closed: no task, and never dereferenced.
  static Task* closed() { return reinterpret_cast<Task*>(&mark); }

  static Task* followed(Task* head) { return head == closed() ? nullptr : head; }
  static bool is_closed(Task* head) {
    if constexpr (!rules.stays_closed) return false;
    return head == closed();
  }

  /// Adds a chain of linked tasks, from first to last.
  bool push(Task& first, Task& last) {
    Task* head = head_.load(at<"push.head">);
    do {
      if (is_closed(head)) {
        if constexpr (rules.unlinks_refused) last.registered.write(nullptr);  // an earlier round has linked it
        return false;
      }
      last.registered.write(followed(head));
    } while (!head_.compare_exchange(head, &first, at<"push.chain">));  // read by sweep.take, close.take
    return true;
  }

  /// Takes all tasks, or nothing if the registry is closed.
  Task* take() {
    Task* head = head_.load(at<"sweep.head">);
    while (followed(head) != nullptr) {
      if (head_.compare_exchange(head, nullptr, at<"sweep.take">)) return head;  // reads push.chain
    }
    return nullptr;
  }

  Task* close() {
    Task* const all = head_.exchange(closed(), at<"close.take">);  // reads push.chain
    return followed(all);
  }

  std::size_t cancel(Task* first) {
    std::size_t number = 0;
    each_of(first, [&](Task& t) {
      ++number;
      t.cancel();
      t.release();
    });
    return number;
  }

  /// Calls `what` for each task; the call may destroy the task or link it elsewhere.
  template <class Do>
  static void each_of(Task* first, Do what) {
    while (first != nullptr) {
      Task& t = *first;
      first = t.registered.read();
      what(t);
    }
  }

  typename Policy::template atomic<Task*> head_;
  typename Policy::template atomic<std::uint32_t> count_;
  typename Policy::template atomic<std::uint32_t> limit_;
};

}  // namespace licit::inline v0

#endif
