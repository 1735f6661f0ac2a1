/// How a coroutine and how a thread waits for something that has a list of waiters.
#ifndef LICIT_SCHEDULER_SYNC_AWAITER_HPP
#define LICIT_SCHEDULER_SYNC_AWAITER_HPP

#include <coroutine>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <licit/scheduler/sync/waiter.hpp>
#include <licit/scheduler/task/await_chain.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/coroutine_header.hpp>

namespace licit::inline v0::detail {

/// How a wait ended.
enum class ending : std::uint32_t {
  now,   ///< `try_now` or `begin` had it
  held,  ///< `hold` had it
  told,  ///< by an answer
};

/// Lies in the frame of the waiting coroutine. Its destruction ends the wait. Operation has, all without exceptions but
/// `finish`:
///   what            how errors call it
///   try_now()       whether it could be done at once
///   hold()          the same, in a form that `undo` takes back
///   begin(waiter)   the same as `try_now`; on false the waiter was linked
///   cancel(waiter)  ends a wait: whether the waiter was still linked. What it was given goes to others
///   undo()          gives back what `hold` has
///   finish(ending, answer)   the result
template <class Operation>
class sync_awaiter {
 public:
  template <class... With>
  explicit sync_awaiter(With&&... with) : operation_{std::forward<With>(with)...} {}
  sync_awaiter(const sync_awaiter&) = delete;
  sync_awaiter& operator=(const sync_awaiter&) = delete;
  ~sync_awaiter() {
    if (state_ == state::waits) {
      (void)operation_.cancel(waiter_);
    } else if (state_ == state::holds) {
      operation_.undo();
    }
  }

  [[nodiscard]] bool await_ready() {
    if (context_at_hand().spend() || coroutine_header::running() == nullptr) [[likely]]  // who is no task cannot yield
      return operation_.try_now();
    state_ = state::yields;
    return false;
  }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> here) {
    coroutine_header& mine = awaiting_task(here, Operation::what);
    if (state_ == state::yields && operation_.hold()) {
      state_ = state::holds;
      mine.forced_yield_at(here);
      return true;
    }
    state_ = state::idle;
    // Awaited again. Who answered before touches the waiter no more.
    if (waiter_.answered() != answer::none) std::construct_at(std::addressof(waiter_));
    waiter_.belongs_to(mine);
    if (operation_.begin(waiter_)) return false;
    state_ = state::waits;
    mine.suspend_at({.frame = here, .ready = &ready, .asked = &waiter_});
    return true;
  }

  decltype(auto) await_resume() {
    switch (std::exchange(state_, state::idle)) {
      case state::holds: return operation_.finish(ending::held, answer::given);
      case state::waits: return operation_.finish(ending::told, waiter_.answered());
      default: return operation_.finish(ending::now, answer::given);
    }
  }

 private:
  enum class state : std::uint32_t { idle, yields, holds, waits };

  /// A wake may be for something else.
  static bool ready(const void* who) noexcept { return static_cast<const waiter<>*>(who)->answered() != answer::none; }

  Operation operation_;
  state state_ = state::idle;
  waiter<> waiter_;
};

/// Throws where a thread must not block for what a task may have to do.
inline void expect_thread(const char* what) {
  const run_context& here = this_context();
  if (here.task == nullptr && here.worker_of == nullptr) return;
  throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                          std::string("licit: blocking ") + what + " in a task (co_await it)");
}

/// The same for a thread, which blocks.
template <class Operation>
decltype(auto) wait_in_thread(Operation operation) {
  expect_thread(Operation::what);
  if (operation.try_now()) return operation.finish(ending::now, answer::given);
  waiter<> mine;
  if (operation.begin(mine)) return operation.finish(ending::now, answer::given);
  const answer got = mine.sleep();
  return operation.finish(ending::told, got);
}

}  // namespace licit::inline v0::detail

#endif
