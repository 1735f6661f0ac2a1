/// Fork and join of coroutines: two side by side, and their results.
///
///     auto [left, right] = co_await licit::join(sum(first, middle), sum(middle, last));
///
/// While nobody takes the second, both run within the task that awaits them: only their frames are allocated.
#ifndef LICIT_SCHEDULER_TASK_JOIN_HPP
#define LICIT_SCHEDULER_TASK_JOIN_HPP

#include <coroutine>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/open_join.hpp>
#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/coroutine_task.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/when.hpp>

namespace licit::inline v0 {

namespace detail {

template <class T>
when_value<T> joined_result(task_result<T>& from) {
  if constexpr (std::is_void_v<T>) {
    from.take();
    return {};
  } else {
    return from.take();
  }
}

/// Runs the task, which `run_in_place` may take, for a caller that would have to wait to cancel it: it yields when it
/// asks for its stop token.
inline void run_joined(executor& home, task_header& second) noexcept {
  const value_scope<const task_header*> runs_it(context_at_hand().joined, &second);
  (void)home.run_in_place(second);
}

/// The await of a join. Lies in the frame of the coroutine that awaits.
template <class T, class U>
class task_join final : open_join<native>, sequel {
  using first_frame = std::coroutine_handle<task_promise<T>>;
  using second_frame = std::coroutine_handle<task_promise<U>>;

 public:
  task_join(first_frame first, second_frame second) noexcept
      : first_frame_{first}, second_frame_{second}, first_{first, first.promise()}, second_{second, second.promise()} {}
  task_join(const task_join&) = delete;
  task_join& operator=(const task_join&) = delete;
  ~task_join() {
    if (mine_ != nullptr) [[unlikely]]
      report_all();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Parent>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Parent> parent) {
    coroutine_header& mine = awaiting_task(parent, "co_await of a join");
    const run_context& here = context_at_hand();
    mine_ = &mine;
    home_ = here.current != nullptr ? here.current : &mine.home();
    parent_ = parent;
    begin_second_ = &begin_second<Parent>;
    first_frame_.promise().followed_by(*this);
    mine.joins().open(*this, here.forks);
    return first_.begin(parent);
  }
  std::pair<when_value<T>, when_value<U>> await_resume() {
    coroutine_header& mine = *std::exchange(mine_, nullptr);
    if (!is_task()) [[likely]] {
      second_.end();
      when_value<T> one = first_of_both(mine);
      return {std::move(one), joined_result(second_frame_.promise().result())};
    }
    mine.joins().close(*this);
    first_.end();
    when_value<T> one = joined_result(first_frame_.promise().result());
    if (refused_) std::rethrow_exception(refused_);
    return {std::move(one), when_value_of(handle_)};
  }

 private:
  /// The first has ended.
  std::coroutine_handle<> begin_after() noexcept override {
    if (mine_->joins().take_back(*this)) [[likely]]
      return begin_second_(*this);
    return wait();
  }
  template <class Parent>
  static std::coroutine_handle<> begin_second(task_join& self) noexcept {
    return self.second_.begin(std::coroutine_handle<Parent>::from_address(self.parent_.address()));
  }

  /// If it throws, what the second threw is reported, where the task is now: `home_` may have ended.
  when_value<T> first_of_both(const coroutine_header& mine) {
    try {
      return joined_result(first_frame_.promise().result());
    } catch (...) {
      report(mine, second_, second_frame_);
      throw;
    }
  }
  /// The caller is cancelled, and its frames are destroyed: what the coroutines threw, as far as they have ended. A
  /// second that is a task reports for itself.
  [[gnu::noinline]] void report_all() noexcept {
    report(*mine_, first_, first_frame_);
    report(*mine_, second_, second_frame_);
  }
  /// A coroutine that has not ended may be gone already.
  template <class Frame>
  static void report(const coroutine_header& mine, const await_link& link, Frame frame) noexcept {
    if (!link.has_frame()) return;
    if (std::exception_ptr thrown = frame.promise().result().take_exception())
      mine.home().unobserved(std::move(thrown));
  }

  void make_task() noexcept override {
    second_.release();
    try {
      handle_ = make_coroutine_task<U>(*home_, second_frame_);
      start(*home_, handle_.header());
    } catch (...) {
      refused_ = std::current_exception();
    }
  }

  /// The first has ended, and the second is a task. Runs it here if nobody has begun it. A caller that is cancelled
  /// waits even if the second ends at once: it must not go on with what the first threw.
  [[gnu::noinline]] std::coroutine_handle<> wait() noexcept {
    task_header& second = handle_.header();
    if (second.done()) return mine_->transfer(parent_);
    if (mine_->state().is_cancelled()) {
      second.cancel();  // now: it may be in front of this task in the queue
    } else {
      executor* const place = place_of(second, *mine_);
      if (place != nullptr && (mine_->spend() || place->is_visited())) run_joined(*place, second);
      if (!is_awaited(second)) return mine_->transfer(parent_);
    }
    mine_->suspend_at({.frame = parent_, .ready = &is_done, .asked = &second});
    return std::noop_coroutine();
  }
  static bool is_done(const void* second) noexcept { return static_cast<const task_header*>(second)->done(); }

  /// The runner. Whether the completion will wake its task; otherwise the second has ended.
  bool is_awaited(task_header& second) noexcept {
    if (second.done()) return false;
    if (!registered_) registered_ = second.begin_wait(*mine_, mine_);
    return registered_;
  }
  void stop() noexcept override { handle_.header().cancel(); }
  bool is_stopped() noexcept override { return !is_awaited(handle_.header()); }

  coroutine_header* mine_ = nullptr;  ///< while it is awaited
  executor* home_ = nullptr;          ///< of the second, if it becomes a task
  std::coroutine_handle<> parent_;
  std::coroutine_handle<> (*begin_second_)(task_join&) noexcept = nullptr;
  first_frame first_frame_;
  second_frame second_frame_;
  await_link first_;
  await_link second_;
  join_handle<U> handle_;
  std::exception_ptr refused_;
  bool registered_ = false;
};

}  // namespace detail

/// Two coroutines that `co_await` runs side by side. Move-only; destroyed before that, they never run.
template <class T, class U>
class [[nodiscard]] joined_tasks {
 public:
  joined_tasks(task<T> first, task<U> second) noexcept : first_{std::move(first)}, second_{std::move(second)} {}

  /// Throws std::logic_error if a task has no coroutine: it was awaited before, or moved from. None has begun then.
  detail::task_join<T, U> operator co_await() && {
    if (!first_ || !second_) throw std::logic_error("licit: join of an empty task (awaited before, or moved from)");
    const auto first = first_.release();
    return {first, second_.release()};
  }

 private:
  task<T> first_;
  task<U> second_;
};

/// To be awaited in a coroutine that was spawned or runs in `block_on`, to any depth; throws std::logic_error
/// elsewhere, and nothing has run. Runs both coroutines, side by side if another thread is free, and returns both
/// values when both have ended.
///
/// `first` runs at once, as if it were awaited, and `second` after it; but until then `second` is offered to the other
/// workers. A worker that takes it makes it a task of its own; so does the caller if it has to wait within `first`.
/// Both must not wait for each other, and not count on a thread. If one throws, the other still runs to its end. Then
/// the first exception, by the order of arguments, is rethrown; a second one goes to `executor::unobserved`. So do both
/// if the caller is cancelled before it goes on.
///
/// A cancellation of the caller's task is one of what runs within it. A `second` that has become a task is cancelled
/// when the caller next waits: for `first`, or for itself. The frames of the caller are destroyed when it has ended.
/// `get_stop_token` gives the token of the task in which a coroutine runs. Throws executor_closed if `second` had to
/// become a task after a shutdown began, and task_cancelled if a shutdown has cancelled it; `first` has ended then.
///
/// Each of the two costs one of the budget. Allocates nothing, except what `spawn` allocates if `second` becomes a
/// task; the stack does not grow with the depth. While `second` is not taken there is no read-modify-write, or one if
/// no other join is around it, and the await is wait-free apart from the coroutines. If a worker is just taking it, the
/// caller waits for that. In `block_on`, and in an executor without workers of its own, `second` is a task at once.
template <class T, class U>
joined_tasks<T, U> join(task<T> first, task<U> second) noexcept {
  return {std::move(first), std::move(second)};
}

}  // namespace licit::inline v0

#endif
