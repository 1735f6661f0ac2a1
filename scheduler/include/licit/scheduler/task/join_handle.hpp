/// The handle of a spawned task: to wait for it, in a thread or in a coroutine, and to ask it to stop.
#ifndef LICIT_SCHEDULER_JOIN_HANDLE_HPP
#define LICIT_SCHEDULER_JOIN_HANDLE_HPP

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/scheduler/task/join_awaiter.hpp>
#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/task/task_result.hpp>

namespace licit::inline v0 {

/// What `try_get` gives: the value, a pointer to what is referred to, or for void whether it is complete.
template <class T>
using tried_t = std::conditional_t<
    std::is_void_v<T>, bool,
    std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, std::optional<std::remove_cv_t<T>>>>;

/// Move-only; one thread at a time. It has one reference to the task. To drop it never blocks: the task runs on, and
/// its exception, if nobody asked for it, goes to `executor::unobserved`. An empty handle has no task: every call but
/// `detach` and `joinable` throws std::logic_error.
template <class T>
class join_handle {
 public:
  join_handle() = default;
  /// Takes over a reference to the task, which has its result there.
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

  /// Whether it has a task.
  [[nodiscard]] bool joinable() const noexcept { return task_ != nullptr; }

  /// Whether the task is complete: `get` does not wait. Wait-free.
  [[nodiscard]] bool done() const { return task().done(); }

  /// Blocks the thread until the task is complete; the handle is empty then. The value; throws the task's exception, or
  /// task_cancelled. In a task, its executor is told (`executor::blocking`), and what that throws is thrown, with the
  /// handle as it was.
  T get() {
    block([](task_state<>& state) { state.wait(); });
    return take();
  }

  /// As get if the task is complete; else nothing, and the handle is as it was. Wait-free.
  tried_t<T> try_get() {
    if (!done()) return {};
    if constexpr (std::is_void_v<T>) {
      take();
      return true;
    } else if constexpr (std::is_reference_v<T>) {
      return std::addressof(take());
    } else {
      return take();
    }
  }

  /// Blocks as `get`, but not for longer than that: whether the task is complete. The handle is as it was.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(std::chrono::duration<Rep, Period> most) {
    using clock = std::chrono::steady_clock;
    const std::chrono::duration<double> limit = std::chrono::hours{24 * 365};  // what a clock can hold, and long enough
    const auto end = clock::now() +
                     std::chrono::duration_cast<clock::duration>(std::min<std::chrono::duration<double>>(most, limit));
    block([end](task_state<>& state) {
      (void)state.wait_for([end] { return std::chrono::duration_cast<std::chrono::nanoseconds>(end - clock::now()); });
    });
    return done();
  }

  /// The task runs on without the handle, which is empty then. Never blocks.
  void detach() noexcept {
    if (task_ != nullptr) std::exchange(task_, nullptr)->detach();
  }

  /// A callable that takes a stop token is told. A task that has not begun never does, and a suspended coroutine is
  /// destroyed where it stands: their wait throws task_cancelled. A run that is under way goes on to its end, or to
  /// where it next suspends or yields. Never blocks.
  void request_stop() { task().request_stop(); }

  /// In a coroutine that was spawned, or runs in `block_on`, of this or another executor: the value, or the exception,
  /// as `get`, without a thread that blocks. The handle is not moved
  /// meanwhile. Throws std::logic_error elsewhere.
  join_awaiter<T> operator co_await() { return join_awaiter<T>(*this, task()); }

  /// For schedulers: the task. As long as the handle has it.
  [[nodiscard]] task_header& header() const { return task(); }

 private:
  friend class join_awaiter<T>;

  [[nodiscard]] task_header& task() const {
    if (task_ == nullptr) throw std::logic_error("licit: a join_handle that has no task was asked for one");
    return *task_;
  }

  /// The task is complete.
  T take() {
    struct reference {
      task_header& task;
      ~reference() { task.release(); }
    } const until_the_end{*std::exchange(task_, nullptr)};
    return result_->take();
  }

  /// In a task, with its executor told before and after.
  template <class Wait>
  void block(Wait wait) {
    task_header& waited = task();
    if (waited.done()) return;
    task_header* const mine = this_context().task;
    if (mine == nullptr) {
      wait(waited.state());
      return;
    }
    mine->home().blocking(waited);
    wait(waited.state());
    mine->home().unblocked();
  }

  task_header* task_ = nullptr;
  task_result<T>* result_ = nullptr;
};

}  // namespace licit::inline v0

#endif
