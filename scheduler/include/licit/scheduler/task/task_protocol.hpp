/// The steps on a task's state, in their order: the part of every task that the checkers run too.
#ifndef LICIT_SCHEDULER_TASK_PROTOCOL_HPP
#define LICIT_SCHEDULER_TASK_PROTOCOL_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_state.hpp>

namespace licit::inline v0 {

/// The result of a run.
enum class task_outcome : std::uint8_t {
  finished,   ///< complete, with a value
  threw,      ///< complete, with an exception
  suspended,  ///< until it is woken
  yielded,    ///< queued again
  cancelled,  ///< complete, without having run to its end
  stale,      ///< it did not run: another thread had taken it, or has it now
};

/// How tasks wait for one another.
struct task_protocol_rules {
  bool counts_visitors = true;  ///< a thread with a reference to another executor's task is counted there
};

/// The base of Task, which has these noexcept members for this base to call:
///   poll()               runs the task; any outcome except `cancelled` and `stale`
///   stop()               destroys what would have run, of a cancelled task. False: not yet; the task is woken for it
///   may_suspend()        before a suspension; false: the task is to run again at once
///   tell_stop()          requests the stop of a task that has asked for it
///   unregister(outcome)  before the completion: how many references the task has of its own, which are then dropped
///   schedule(placement)  queues the task, for one `run`
///   tell(Joiner)         wakes the joiner of a complete task, a thread by `state().wake_sleeper()`
///   has_result()         whether there is something to discard of a task that has finished
///   discard()            reports the exception and destroys the result of a task that has no handle any more
///   destroy()            destroys the task, after the last reference is gone
///   visited_by(Task&)    a pointer to the executor of the task that waits for this one, if that is another executor
///                        and counts its visitors (executor.hpp); otherwise null
template <class Task, class Policy = native, class Joiner = task_header*>
class task_protocol {
 public:
  /// The worker that took the task from the queue where `schedule` put it. Runs the task until it completes, suspends
  /// or yields, and schedules it if it is to run again. The task may be gone when this returns.
  task_outcome run() { return run(state_.begin()); }

  /// A thread with a reference, which it keeps. The same, out of the task's turn, if it waits in a queue. Its entry
  /// stays there; `run` returns `stale` for it. `stale` here: it does not wait in a queue, and nothing has happened.
  task_outcome run_in_place() { return run(state_.claim()); }

  /// Any thread with a reference, which it keeps. Makes the task run, or run again. No effect if it is complete.
  /// Wait-free, apart from the executor's queue.
  void wake() {
    if (state_.wake()) self().schedule(placement::next);
  }
  /// The same, but cancels the task: it does not run any more, and a worker destroys what it holds.
  void cancel() {
    const cancellation found = state_.cancel();
    if (found.asked) self().tell_stop();
    if (found.idle) self().schedule(placement::next);
  }

  /// Any thread with a reference. Add and drop a reference; dropping the last one destroys the task.
  void retain() { state_.retain(); }
  void release() {
    if (state_.release()) self().destroy();
  }

  /// Any thread with a reference. Whether the task is complete; its result is then visible.
  [[nodiscard]] bool done() const { return state_.done(); }

  /// The handle, with no joiner registered. Gives up the task, and drops the handle's reference.
  void detach() {
    if (!state_.detach()) self().discard();
    release();
  }

  /// The runner of `waiting`, at the end of its run, with this task's handle. Registers `who`, which stands for
  /// `waiting`: the completion will call `tell`. False: this task is already complete. A registered joiner has a
  /// reference to `waiting`, and its executor, if it is another, does not end before that has been released.
  bool begin_wait(Task& waiting, Joiner who) {
    if (auto* const visited = visited_by(waiting)) visited->visit_begins();
    waiting.retain();
    if (state_.join(who)) return true;
    end_wait(waiting);
    return false;
  }
  /// The worker that destroys `waiting`, after `begin_wait` returned true. Takes the joiner back, unless the completion
  /// has it.
  void give_up_wait(Task& waiting) {
    if (state_.unjoin()) end_wait(waiting);
  }
  /// The thread that completes this task, for the joiner that stands for `waiting`.
  void wake_waiting(Task& waiting) {
    auto* const visited = visited_by(waiting);
    waiting.wake();
    waiting.release();
    if (visited != nullptr) visited->visit_ends();
  }

  /// For handles.
  task_state<Policy, Joiner>& state() { return state_; }

 private:
  friend Task;
  explicit task_protocol(std::uint32_t references) : state_{references} {}
  ~task_protocol() = default;

  static constexpr auto rules = rules_of<task_protocol_rules, Policy>();

  Task& self() { return static_cast<Task&>(*this); }

  auto* visited_by(Task& waiting) {
    auto* const other = self().visited_by(waiting);
    return rules.counts_visitors ? other : nullptr;
  }
  void end_wait(Task& waiting) {
    auto* const visited = visited_by(waiting);
    waiting.release();
    if (visited != nullptr) visited->visit_ends();
  }

  task_outcome run(beginning what) {
    if (what == beginning::stale_and_last) self().destroy();
    if (what == beginning::stale || what == beginning::stale_and_last) return task_outcome::stale;
    const task_outcome how = poll_or_stop(what);
    switch (how) {
      case task_outcome::yielded:
        if (state_.yield()) self().schedule(placement::back);
        break;
      case task_outcome::suspended:
        if (self().may_suspend() ? state_.suspend() : state_.yield()) self().schedule(placement::back);
        break;
      case task_outcome::finished:
      case task_outcome::cancelled:
      case task_outcome::threw: complete(how); break;
      case task_outcome::stale: break;
    }
    return how;
  }

  task_outcome poll_or_stop(beginning what) {
    if (what == beginning::runs) return self().poll();
    return self().stop() ? task_outcome::cancelled : task_outcome::suspended;
  }

  /// Keeps a reference until the last step that uses the task.
  void complete(task_outcome how) {
    const bool keeps = how == task_outcome::threw || (how == task_outcome::finished && self().has_result());
    const std::uint32_t own = self().unregister(how);
    const completion found = state_.complete(keeps ? own - 1 : own);
    if (found.awaited) {
      self().tell(state_.joiner());
      release();  // the joiner's
    }
    if (keeps) {
      if (found.detached) self().discard();
      release();
    }
    if (found.last) self().destroy();
  }

  task_state<Policy, Joiner> state_;
};

}  // namespace licit::inline v0

#endif
