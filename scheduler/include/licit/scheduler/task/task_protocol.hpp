/// The steps on a task's state, in their order: the part of every task that the checkers run too.
#ifndef LICIT_SCHEDULER_TASK_PROTOCOL_HPP
#define LICIT_SCHEDULER_TASK_PROTOCOL_HPP

#include <cstdint>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_registry.hpp>
#include <licit/scheduler/task/task_state.hpp>

namespace licit::inline v0 {

/// The base of Task, which has these noexcept members for this base to call:
///   poll()               runs the task; any outcome except `cancelled` and `stale`
///   stop()               destroys what would have run, of a cancelled task. False: not yet; the task is woken for it
///   may_suspend()        before a suspension; false: the task is to run again at once
///   may_ask()            whether the task is of a kind that may ask for its stop token
///   tell_stop()          requests the stop of a task that has asked for it
///   own_references       how many references the task has of its own until it is complete
///   unregister(outcome)  before the completion: how many references the task has of its own, which are then dropped
///   schedule(placement)  queues the task, for one `run`
///   tell(Joiner)         wakes the joiner of a complete task: a thread by `state().wake_sleeper()`, a task by
///                        `wake_lent(joiner_at())`
///   has_result()         whether there is something to discard of a task that has finished
///   discard()            reports the exception and destroys the result of a task that has no handle any more
///   discard_result()     destroys the result of a complete task
///   is_bare()            whether `destroy` calls no destructor that might wait for other tasks
///   destroy()            destroys the task, after the last reference is gone
///   in_context(act)      calls act() with the task as the one that this thread runs, so that what waits there for
///                        other tasks tells the thread's executor
/// Executor has counts_visitors(), visit_begins() and visit_ends(), as in executor.hpp.
template <class Task, class Policy = native, class Joiner = task_header*, class Executor = executor>
class task_protocol {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_state_orders, Name>;
  using registry = task_registry<Policy, Task>;
  using slot = typename registry::slot;

 public:
  /// The worker that took the task from the queue where `schedule` put it. Runs the task until it completes, suspends
  /// or yields, and schedules it if it is to run again. The task may be gone when this returns.
  task_outcome run() { return run(state_.begin()); }

  /// The worker that took the task from the queue where `schedule` put it. Whether that entry was stale; the task may
  /// be gone then. Otherwise the caller puts the task back.
  bool discard_if_stale() {
    const beginning what = state_.discard();
    if (what == beginning::runs) return false;
    (void)run(what);
    return true;
  }

  /// A thread with a reference. Whether `run_in_place` might run the task.
  [[nodiscard]] bool may_be_claimed() const { return state_.may_be_claimed(); }
  /// A thread with a reference, which it keeps. The same, out of the task's turn, if it waits in a queue. Its entry
  /// stays there; `run` returns `stale` for it. `stale` here: it does not wait in a queue, and nothing has happened.
  task_outcome run_in_place() { return run(state_.claim()); }

  /// The worker that took the task from the queue where `schedule` put it, with the task's handle, which nobody uses
  /// meanwhile. As `run`, but without read-modify-writes if the task is fresh and completes in this run, and there are
  /// no other references.
  task_outcome run_held() {
    if (registered() || !state_.begin_alone(Task::own_references)) return run();
    const task_outcome how = self().poll();
    const bool ended = how == task_outcome::finished || how == task_outcome::threw;
    return ended && !registered() && state_.complete_alone(Task::own_references) ? how : end(how);
  }

  /// Any thread with a reference, which it keeps. Makes the task run, or run again. No effect if it is complete.
  /// Wait-free, apart from the executor's queue.
  void wake() {
    if (state_.wake()) self().schedule(placement::next);
  }
  /// The same, but cancels the task: it does not run any more, and a worker destroys what it holds.
  void cancel() {
    if constexpr (rules.requests_stops_first) {
      if (!request_stop_if_asked()) return;
    }
    const bool idle = state_.cancel();
    if constexpr (!rules.requests_stops_first) (void)request_stop_if_asked();
    if (idle) self().schedule(placement::next);
  }

  /// Any thread with a reference. Add and drop a reference; dropping the last one destroys the task.
  void retain() { state_.retain(); }
  void release() {
    if (state_.release()) destroy_task();
  }

  /// Any thread with a reference. Whether the task is complete; its result is then visible.
  [[nodiscard]] bool done() const { return state_.done(); }

  /// The handle, with no joiner registered. Gives up the task, and drops the handle's reference.
  void detach() {
    if (!state_.detach()) discard_task();
    release();
  }
  /// The handle, of a complete task whose result it has taken. Destroys the result, and drops the handle's reference.
  void give_back() {
    self().discard_result();
    release();
  }

  /// The runner of `waiting`, at the end of its run, with this task's handle. Registers `who`, which stands for
  /// `waiting`: the completion will call `tell`. False: this task is already complete.
  bool begin_wait(Task& waiting, Joiner who) {
    Executor* const visited = waiting.lend();
    joiner_at_.write(visited);
    if (state_.join(who)) return true;
    waiting.take_back(visited);
    return false;
  }
  /// The worker that destroys `waiting`, after `begin_wait` returned true. Takes the joiner back, unless the completion
  /// has it.
  void give_up_wait(Task& waiting) {
    if (state_.unjoin()) waiting.take_back(joiner_at_.read());
  }

  /// The runner, before the task waits, or a thread that is about to answer the task, which waits until then. A
  /// reference for the thread that is to wake it. That may be any executor's: a task that is awaited may move
  /// meanwhile. So the thread is a visitor of this task's executor, which does not end before the reference has been
  /// released. Returns that executor, or null if it counts no visitors: the task may have moved when the thread wakes
  /// it.
  Executor* lend() {
    Executor* const visited = counts_visitors() ? &home() : nullptr;
    if (visited != nullptr) visited->visit_begins();
    retain();
    return visited;
  }
  /// The thread with that reference. Wakes the task, and releases the reference.
  void wake_lent(Executor* visited) {
    Executor* const left = rules.remembers_visited || visited == nullptr ? visited : &home();
    wake();
    take_back(left);
  }
  /// The worker of the task, if no other thread has the reference.
  void take_back(Executor* visited) {
    release();
    if (visited != nullptr) visited->visit_ends();
  }

  /// The task's executor. Any thread with a reference that only compares the address: the task may move at any time.
  /// The thread that makes, runs, schedules or wakes the task, or sees it complete, may use the executor.
  [[nodiscard]] Executor& home() const { return *home_.load(at<"home.look">); }
  /// The runner, before the run ends with `moved`.
  void set_home(Executor& now) { home_.store(&now, at<"home.move">); }

  /// The same, of the only worker that may run the task, by an address that its executor chooses; null: any.
  [[nodiscard]] const void* worker() const { return worker_.load(at<"worker.look">); }
  /// `executor::admit`, of a new task or one that moves.
  void set_worker(const void* only) { worker_.store(only, at<"worker.set">); }

  /// The runner, before the run ends with `moved`, of a task that has no entry in a queue. From now on the task is the
  /// executor's: in its count, its registry and its bounds. False: it is refused, and nothing has changed. Throws what
  /// `admit` throws; nothing has changed then.
  [[nodiscard]] bool move_to(Executor& to) {
    retain();  // for the other registry
    left_behind before{self()};
    if (!to.admit(self())) return false;
    before.keeps = false;
    set_home(to);
    return true;
  }

  /// For `executor::admit`. Enters the registry, which then has one of the task's own references. False: it is closed.
  /// Throws what `add` throws.
  [[nodiscard]] bool enter(registry& all) {
    registered_ = all.add(self());
    return registered();
  }
  [[nodiscard]] bool registered() const { return registered_ != nullptr; }

  /// For handles.
  task_state<Policy, Joiner>& state() { return state_; }

 protected:
  /// In `tell`, of a joiner that is a task: the executor that the completion visits.
  [[nodiscard]] Executor* joiner_at() const { return joiner_at_.read(); }

  /// Any thread with a reference, before `task_state::cancel`. Requests the stop of a task that has its source. If a
  /// task asks for it later, its runner does. False: another thread requests it, and cancels the task after that.
  bool request_stop_if_asked() {
    const stop_step next = self().may_ask() ? state_.begin_to_stop() : stop_step::cancel;
    if (next == stop_step::request) self().tell_stop();
    return next != stop_step::leave || !rules.leaves_to_first;
  }

 private:
  friend Task;
  task_protocol(Executor& home, std::uint32_t references) : state_{references}, home_{&home} {}
  ~task_protocol() = default;

  static constexpr auto rules = rules_of<task_protocol_rules, Policy>();

  /// What a task that moves has on the executor that it leaves, or gets back if it is refused.
  struct left_behind {
    Task& task;
    slot* place = std::exchange(task.registered_, nullptr);
    const void* worker = task.worker();
    bool keeps = true;

    ~left_behind() {
      if (keeps) {
        std::swap(task.registered_, place);
        task.set_worker(worker);
      }
      if (has_own(place, task)) task.release();
    }
  };

  Task& self() { return static_cast<Task&>(*this); }
  /// Takes the task out of its slot. Whether it has the slot's reference, of which a task that is in no registry has
  /// one as well; otherwise `cancel_all` has it.
  static bool has_own(slot* place, Task& task) {
    return place == nullptr || registry::remove(place, task) || !rules.heeds_registry;
  }
  [[nodiscard]] bool leave_registry() { return has_own(registered_, self()); }

  [[nodiscard]] bool counts_visitors() const { return rules.counts_visitors && home().counts_visitors(); }

  task_outcome run(beginning what) {
    if (what == beginning::stale_and_last) destroy_task();
    if (what == beginning::stale || what == beginning::stale_and_last) return task_outcome::stale;
    return end(poll_or_stop(what));
  }

  task_outcome end(task_outcome how) {
    switch (how) {
      case task_outcome::yielded:
      case task_outcome::moved:
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

  void destroy_task() {
    if (self().is_bare()) return self().destroy();
    enter_context([this] { self().destroy(); });
  }
  void discard_task() {
    enter_context([this] { self().discard(); });
  }
  template <class Act>
  void enter_context(Act act) {
    if constexpr (rules.enters_for_destructors) {
      self().in_context(act);
    } else {
      act();
    }
  }

  task_outcome poll_or_stop(beginning what) {
    if (what == beginning::runs) return self().poll();
    return self().stop() ? task_outcome::cancelled : task_outcome::suspended;
  }

  /// Keeps a reference until the last step that uses the task.
  void complete(task_outcome how) {
    const bool keeps =
        how == task_outcome::threw || (how == task_outcome::finished && rules.keeps_results && self().has_result());
    const std::uint32_t own = self().unregister(how);
    const completion found = state_.complete(keeps ? own - 1 : own);
    if (found.awaited) {
      self().tell(state_.joiner());
      release();  // the joiner's
    }
    if (keeps) {
      if (found.detached) discard_task();
      release();
    }
    if (found.last) destroy_task();
  }

  task_state<Policy, Joiner> state_;
  typename Policy::template atomic<Executor*> home_;
  typename Policy::template atomic<const void*> worker_;
  typename Policy::template plain<Executor*> joiner_at_;  ///< what `lend` of the joiner returned, if it is a task
  slot* registered_ = nullptr;                            ///< its slot in the registry that holds it
};

}  // namespace licit::inline v0

#endif
