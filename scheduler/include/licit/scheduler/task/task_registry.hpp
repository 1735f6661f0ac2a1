/// Which tasks there are: so that those that are suspended, and known to nobody else, can be cancelled.
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

/// A stack of tasks, pushed by compare-exchange and only taken whole. It has a reference to each. A thread that stops
/// in it stops nobody, and keeps at most the tasks of the sweep that it was in.
template <class Policy = native, class Task = coroutine_header>
class task_registry {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_registry_orders, Name>;

 public:
  task_registry() = default;
  task_registry(const task_registry&) = delete;
  task_registry& operator=(const task_registry&) = delete;

  /// No other thread is using it. Tasks that are left are only let go.
  ~task_registry() {
    each_of(close(), [](Task& t) { t.release(); });
  }

  /// Any thread: the task, to which the caller has a reference. False: it is closed, and nothing was done. Lock-free,
  /// O(1) but for a sweep whenever there are twice as many as after the last one.
  [[nodiscard]] bool add(Task& task) {
    task.retain();
    if (!push(task, task)) {
      task.release();
      return false;
    }
    if (count_.fetch_add(1, at<"add.count">) + 1 >= std::max(limit_.load(at<"add.limit">), least)) sweep();
    return true;
  }

  /// Any thread: lets go those that are complete; O(their number and of the others). Returns how many. Meanwhile
  /// `cancel_all` does not see the others: they are cancelled here then.
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

  /// Any thread: takes no more tasks, and cancels all that there are. Returns how many it let go; more may be cancelled
  /// by sweeps that are under way.
  std::size_t cancel_all() { return cancel(close()); }

  /// Any thread: how many there are at about this moment, those that were completed since the last sweep too.
  [[nodiscard]] std::size_t size() const { return count_.load(at<"size.count">); }

 private:
  static constexpr auto rules = rules_of<task_registry_rules, Policy>();
  static constexpr std::uint32_t least = 64;  ///< fewer are not swept by `add`
  alignas(Task*) static inline char mark = 0;

  /// What `head_` is when it is closed: never a task, and never followed.
  static Task* closed() { return reinterpret_cast<Task*>(&mark); }

  static Task* followed(Task* head) { return head == closed() ? nullptr : head; }
  static bool is_closed(Task* head) { return rules.stays_closed && head == closed(); }

  /// From first on, linked, with last at the end.
  bool push(Task& first, Task& last) {
    Task* head = head_.load(at<"push.head">);
    do {
      if (is_closed(head)) {
        if (rules.unlinks_refused) last.registered.write(nullptr);  // an earlier round has linked it
        return false;
      }
      last.registered.write(followed(head));
    } while (!head_.compare_exchange(head, &first, at<"push.chain">));  // read by sweep.take, close.take
    return true;
  }

  /// All, or nothing if it is closed.
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

  /// What is done may end the task, or link it elsewhere.
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
