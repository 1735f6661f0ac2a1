/// Awaits a join handle: registers the waiting task with the task that it waits for.
#ifndef LICIT_SCHEDULER_JOIN_AWAITER_HPP
#define LICIT_SCHEDULER_JOIN_AWAITER_HPP

#include <coroutine>

#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>

namespace licit::inline v0 {

template <class T = void>
class join_handle;

/// Lies in the frame of the waiting coroutine. Its destruction ends the wait.
template <class T>
class join_awaiter {
 public:
  /// `in_place`: the awaiting thread may run the task itself.
  join_awaiter(join_handle<T>& handle, task_header& task, bool in_place = true) noexcept
      : handle_{&handle}, task_{&task}, in_place_{in_place} {}
  join_awaiter(const join_awaiter&) = delete;
  join_awaiter& operator=(const join_awaiter&) = delete;
  ~join_awaiter() {
    if (registered_ != nullptr) task_->give_up_wait(*registered_);
  }

  [[nodiscard]] bool await_ready() const noexcept { return task_->done() && spend_budget(); }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> here) {
    coroutine_header& mine = detail::awaiting_task(here, "co_await of a join_handle");
    if (task_->done()) {  // and no budget is left
      mine.forced_yield_at(here);
      return true;
    }
    if (task_ == &mine) throw_waits_for_itself("co_await");
    executor* const place = in_place_ ? detail::place_of(*task_, mine) : nullptr;
    const bool may = place != nullptr && (mine.spend() || place->is_visited());
    if (may && place->run_in_place(*task_) && task_->done()) return false;
    if (!task_->begin_wait(mine, &mine)) return false;
    registered_ = &mine;
    mine.suspend_at({.frame = here, .ready = &ready, .asked = task_});
    return true;
  }

  T await_resume() {
    registered_ = nullptr;  // it was told
    return handle_->take();
  }

 private:
  /// A wake may be for something else.
  static bool ready(const void* task) noexcept { return static_cast<const task_header*>(task)->done(); }

  join_handle<T>* handle_;
  task_header* task_;
  bool in_place_;
  task_header* registered_ = nullptr;
};

}  // namespace licit::inline v0

#endif
