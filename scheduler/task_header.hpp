/// What every task begins with: its state, its executor, and what it does, by a table of functions.
#ifndef LICIT_SCHEDULER_TASK_HEADER_HPP
#define LICIT_SCHEDULER_TASK_HEADER_HPP

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <utility>

#include <licit/scheduler/budget.hpp>
#include <licit/scheduler/context.hpp>
#include <licit/scheduler/executor.hpp>
#include <licit/scheduler/task_state.hpp>

namespace licit::inline v0 {

/// What came of a run.
enum class task_outcome : std::uint8_t {
  finished,   ///< complete, with a value
  threw,      ///< complete, with an exception
  suspended,  ///< until it is woken
  yielded,    ///< it is in a queue again
  cancelled,  ///< complete, without having been run to its end
};

/// One a type of task.
struct task_functions {
  task_outcome (*poll)(task_header&) noexcept;                  ///< runs it; not `cancelled`
  void (*cancel)(task_header&) noexcept;                        ///< destroys what would have run
  void (*destroy)(task_header&) noexcept;                       ///< the last reference is gone
  void (*stop)(task_header&) noexcept;                          ///< tells what runs, if it takes a stop token
  std::exception_ptr (*take_exception)(task_header&) noexcept;  ///< of a complete task: if nobody asked for it
  bool can_suspend;
};

/// The first part of every task. Reference-counted; never copied or moved.
class task_header {
 public:
  task_header(const task_header&) = delete;
  task_header& operator=(const task_header&) = delete;

  /// A worker that took the task from the queue where `schedule` put it. Runs it until it completes, suspends or
  /// yields; a task that is to run again is scheduled by it. The task may be gone when it returns. Exceptions stay with
  /// the task. Wait-free but for what the task itself does.
  task_outcome run() noexcept {
    run_context& here = this_context();
    const run_context before = std::exchange(
        here, {.current = here.current, .task = this, .budget = free_ != 0 ? run_context::unlimited : budget_of_a_run});
    const bool goes_on = std::exchange(yielded_, false) ? state_.resume() : state_.begin();
    const task_outcome how = goes_on ? does_->poll(*this) : stop();
    here = before;
    settle(how);
    return how;
  }

  /// Any thread that has a reference, which it keeps: the task runs, or runs again. Nothing if it is complete.
  /// Wait-free but for the executor's queue.
  void wake() noexcept {
    if (state_.wake()) home_.schedule(*this, placement::next);
  }
  /// The same, but the task is not to run any more. What it holds is destroyed by a worker.
  void cancel() noexcept {
    if (state_.cancel()) home_.schedule(*this, placement::next);
  }

  /// Any thread that has a reference: asks a callable that takes a stop token to end, and cancels the task.
  void request_stop() noexcept {
    does_->stop(*this);
    cancel();
  }

  /// Any thread that has a reference: one more; and gives one back, the last one destroys the task.
  void retain() noexcept { state_.retain(); }
  void release() noexcept {
    if (state_.release()) does_->destroy(*this);
  }

  /// Any thread that has a reference. The result is visible when it is true.
  [[nodiscard]] bool done() const noexcept { return state_.done(); }

  [[nodiscard]] executor& home() const noexcept { return home_; }
  [[nodiscard]] bool can_suspend() const noexcept { return does_->can_suspend; }
  [[nodiscard]] std::pmr::memory_resource& memory() const noexcept { return memory_; }

  /// Of the one queue that has the task, and does not itself have room for it.
  task_header* next = nullptr;

  /// For handles.
  task_state<>& state() noexcept { return state_; }
  /// The exception that nobody asked for: once, by whom the protocol of `task_state::detach` chooses.
  void report() noexcept {
    if (std::exception_ptr thrown = does_->take_exception(*this)) home_.unobserved(std::move(thrown));
  }

  /// Who made the task, in place of scheduling it: it never runs.
  void abandon() noexcept {
    (void)state_.cancel();
    run();
  }

 protected:
  task_header(executor& home, std::pmr::memory_resource& memory, const task_functions& does, std::uint32_t references)
      : does_{&does}, home_{home}, memory_{memory}, state_{references} {}
  ~task_header() = default;

 private:
  friend class unconstrained;

  task_outcome stop() noexcept {
    does_->cancel(*this);
    return task_outcome::cancelled;
  }

  void settle(task_outcome how) noexcept {
    switch (how) {
      case task_outcome::yielded:
        yielded_ = true;
        home_.schedule(*this, placement::back);
        return;
      case task_outcome::suspended:
        if (state_.suspend()) home_.schedule(*this, placement::back);
        return;
      case task_outcome::finished:
      case task_outcome::cancelled: complete(false); return;
      case task_outcome::threw: complete(true); return;
    }
  }

  void complete(bool threw) noexcept {
    const completion found = state_.complete(threw);
    if (threw && found.detached) report();
    if (found.awaited) {
      tell_joiner();
      release();
    }
    if (threw) release();
    if (found.last) does_->destroy(*this);
  }

  void tell_joiner() noexcept {
    task_header* const who = state_.joiner();
    if (who == nullptr) {
      state_.wake_sleeper();
    } else {
      who->wake();
      who->release();
    }
  }

  const task_functions* const does_;
  executor& home_;
  std::pmr::memory_resource& memory_;
  task_state<> state_;
  std::uint16_t free_ = 0;  ///< how many `unconstrained` it has; the runner's
  bool yielded_ = false;    ///< it is in a queue, running; the runner's
};

}  // namespace licit::inline v0

#endif
