/// What is done with a task's state, and in which order: the part of every task that the checkers run too.
#ifndef LICIT_SCHEDULER_TASK_PROTOCOL_HPP
#define LICIT_SCHEDULER_TASK_PROTOCOL_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_state.hpp>

namespace licit::inline v0 {

/// What came of a run.
enum class task_outcome : std::uint8_t {
  finished,   ///< complete, with a value
  threw,      ///< complete, with an exception
  suspended,  ///< until it is woken
  yielded,    ///< it is in a queue again
  cancelled,  ///< complete, without having been run to its end
};

/// The base of Task, which has, noexcept and for this base to call:
///   poll()               runs it: any outcome but `cancelled`
///   stop()               it was cancelled: destroys what would have run
///   schedule(placement)  puts it into a queue, for one `run`
///   tell(Joiner)         it is complete: wakes who waits for that, a thread by `state().wake_sleeper()`
///   report()             it threw, and has no handle any more
///   destroy()            the last reference is gone
template <class Task, class Policy = native, class Joiner = task_header*>
class task_protocol {
 public:
  /// A worker that took the task from the queue where `schedule` put it. Runs it until it completes, suspends or
  /// yields; a task that is to run again is scheduled here. The task may be gone when it returns.
  task_outcome run() {
    const task_outcome how = poll_or_stop();
    switch (how) {
      case task_outcome::yielded: self().schedule(placement::back); break;
      case task_outcome::suspended:
        if (state_.suspend()) self().schedule(placement::back);
        break;
      case task_outcome::finished:
      case task_outcome::cancelled: complete(false); break;
      case task_outcome::threw: complete(true); break;
    }
    return how;
  }

  /// Any thread that has a reference, which it keeps: the task runs, or runs again. Nothing if it is complete.
  /// Wait-free but for the executor's queue.
  void wake() {
    if (state_.wake()) self().schedule(placement::next);
  }
  /// The same, but the task is not to run any more. What it holds is destroyed by a worker.
  void cancel() {
    if (state_.cancel()) self().schedule(placement::next);
  }

  /// Any thread that has a reference: one more; and gives one back, the last one destroys the task.
  void retain() { state_.retain(); }
  void release() {
    if (state_.release()) self().destroy();
  }

  /// Any thread that has a reference. The result is visible when it is true.
  [[nodiscard]] bool done() const { return state_.done(); }

  /// The handle, which has no joiner registered: gives up the task, and its reference.
  void detach() {
    if (!state_.detach()) self().report();
    release();
  }

  /// For handles.
  task_state<Policy, Joiner>& state() { return state_; }

 private:
  friend Task;
  explicit task_protocol(std::uint32_t references) : state_{references} {}
  ~task_protocol() = default;

  Task& self() { return static_cast<Task&>(*this); }

  task_outcome poll_or_stop() {
    if (state_.begin()) return self().poll();
    self().stop();
    return task_outcome::cancelled;
  }

  /// With a reference as long as something is to be done with the task.
  void complete(bool threw) {
    const completion found = state_.complete(threw);
    if (found.awaited) {
      self().tell(state_.joiner());
      release();  // the joiner's
    }
    if (threw) {
      if (found.detached) self().report();
      release();
    }
    if (found.last) self().destroy();
  }

  task_state<Policy, Joiner> state_;
};

}  // namespace licit::inline v0

#endif
