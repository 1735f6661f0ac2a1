/// The handle of a spawned task: waits for it, in a thread or in a coroutine, and asks it to stop.
#ifndef LICIT_SCHEDULER_JOIN_HANDLE_HPP
#define LICIT_SCHEDULER_JOIN_HANDLE_HPP

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/scheduler/clock.hpp>
#include <licit/scheduler/task/join_awaiter.hpp>
#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

/// The result of `try_get`: the value if there is one, a pointer to the referenced object, or for void a bool.
template <class T>
using tried_t = std::conditional_t<
    std::is_void_v<T>, bool,
    std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, std::optional<std::remove_cv_t<T>>>>;

/// For a parent that has joined a group: its children's results are there, but they may not be complete yet.
struct child_result {
  template <class T>
  static T take(join_handle<T>& child) {
    return child.take();
  }
  /// Destroys the result. The handle is empty afterwards.
  template <class T>
  static void drop(join_handle<T>& child) noexcept {
    if (task_header* const task = std::exchange(child.task_, nullptr)) {
      task->give_back();
    }
  }
};

/// Move-only; one thread at a time may use it. It holds one reference to the task. Destroying it never blocks: the task
/// runs on, and an exception that nobody asked for goes to `executor::unobserved`. On an empty handle every call except
/// `detach` and `joinable` throws std::logic_error.
template <class T>
class join_handle {
 public:
  join_handle() = default;
  /// Takes over a reference to the task, whose result is at `result`.
  join_handle(task_header& task, task_result<T>& result) noexcept : task_{&task}, result_{&result} {}
  join_handle(join_handle&& o) noexcept : task_{std::exchange(o.task_, nullptr)}, result_{o.result_} {}
  join_handle& operator=(join_handle&& o) noexcept {
    if (this != &o) {
      detach();
      task_ = std::exchange(o.task_, nullptr);
      result_ = o.result_;
    }
    return *this;
  }
  ~join_handle() { detach(); }

  /// Whether the handle has a task.
  [[nodiscard]] bool joinable() const noexcept { return task_ != nullptr; }

  /// Whether the task is complete, so that `get` does not block. Wait-free.
  [[nodiscard]] bool done() const { return task().done(); }

  /// Blocks the thread until the task is complete. Returns its value, or throws its exception or task_cancelled; the
  /// handle is then empty. A worker of the task's scheduler runs the task itself, if it has not begun and half of the
  /// worker's stack is free; it runs no other task. So does a thread in `block_on` or `enter` of that scheduler
  /// (`scheduler_options::waiters_run`). Otherwise a worker blocks, and others take over what it would have run. Throws
  /// std::system_error (resource_deadlock_would_occur) if no worker would be left, and in the task itself; the handle
  /// is then unchanged. A worker that waits in a join counts as left, though it runs no tasks.
  T get() {
    block(wait_limit::none, [](task_state<>& state) { state.wait(); });
    return take();
  }

  /// Like `get` if the task is complete. Otherwise returns nothing, and the handle is unchanged. Wait-free.
  tried_t<T> try_get() {
    if (!done()) return {};
    if constexpr (std::is_void_v<T>) {
      take();
      return true;
    } else if constexpr (std::is_reference_v<T>) {
      auto&& value = take();
      return std::addressof(value);
    } else {
      return take();
    }
  }

  /// Blocks like `get`, but for at most `most`, and never runs the task itself. Returns whether the task is complete;
  /// the handle is unchanged. Throws nothing for a deadlock, since it ends by itself. By the steady clock, also where
  /// the scheduler has a manual one; `timeout(handle, most)` in a coroutine goes by the scheduler's.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> most) {
    const auto end = detail::end_of(most);
    block(wait_limit::time, [end](task_state<>& state) {
      (void)state.wait_for([end] { return std::chrono::nanoseconds(end - std::chrono::steady_clock::now()); });
    });
    return done();
  }

  /// Empties the handle; the task runs on without it. Never blocks.
  void detach() noexcept {
    if (task_ != nullptr) std::exchange(task_, nullptr)->detach();
  }

  /// Asks the task to stop. A callable that takes a stop token learns of it there; stop callbacks run in this call. A
  /// task that has not started never starts, and a suspended coroutine is destroyed where it stands; waiting for them
  /// throws task_cancelled. A run that is under way continues to its end, or until it next suspends or yields. Never
  /// blocks, apart from the callbacks.
  void request_stop() {
    task_header& mine = task();
    mine.retain();  // a stop callback may destroy the handle
    mine.request_stop();
    mine.release();
  }

  /// Like `get`, without blocking a thread. Only in a coroutine that was spawned or runs in `block_on`, of this or
  /// another executor; throws std::logic_error elsewhere, and in the task itself std::system_error
  /// (resource_deadlock_would_occur). The handle must not be moved meanwhile.
  join_awaiter<T> operator co_await() { return join_awaiter<T>(*this, task()); }

  /// For schedulers: the task, valid as long as the handle has it.
  [[nodiscard]] task_header& header() const { return task(); }

 private:
  friend class join_awaiter<T>;
  friend struct child_result;

  [[nodiscard]] task_header& task() const {
    if (task_ == nullptr) [[unlikely]]
      throw_has_no_task();
    return *task_;
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void throw_has_no_task() {
    throw std::logic_error("licit: this join_handle has no task");
  }

  /// Precondition: the task is complete, or has left the group that the caller has joined.
  T take() {
    struct reference {
      task_header& task;
      ~reference() { task.give_back(); }
    } const until_the_end{*std::exchange(task_, nullptr)};
    return result_->take();
  }

  /// Tells the thread's executor before and after. That is the one whose worker this is: the task that runs may be
  /// another's, if the worker destroys it, and the worker may have entered another.
  template <class Wait>
  void block(wait_limit limit, Wait wait) {
    task_header& waited = task();
    if (waited.done()) return;
    if (limit == wait_limit::none && this_context().task == &waited) throw_waits_for_itself("get");
    executor* const here = executor_that_waits();
    if (here == nullptr) return wait(waited.state());
    if (limit == wait_limit::none) try_as_visitor(waited, *here);
    here->blocking(waited, limit);
    wait(waited.state());
    here->unblocked();
  }

  /// A thread in `block_on` or `enter` of the task's executor, in whatever else, may run it.
  static void try_as_visitor(task_header& waited, const executor& here) noexcept {
    executor& home = waited.home();
    if (&home == &here || !executor_hold::has(home)) return;
    constexpr int tries = 4;  // another thread may change the task's word
    for (int i = 0; i != tries && !home.run_in_place(waited); ++i) {
    }
  }

  task_header* task_ = nullptr;
  task_result<T>* result_ = nullptr;
};

}  // namespace licit::inline v0

#endif
