/// The state of a task: one 32-bit word that is changed by read-modify-writes only, with the count of its references,
/// and a place for who waits for the task. scheduler/tasks.md has the states and the proof's numbers.
///
/// Every operation is wait-free, one or two read-modify-writes, except those that sleep. So that completion can be one
/// read-modify-write that also gives back a reference, the count is in the word; and the word is the futex on which
/// threads wait, so that nothing else need be kept alive for them.
#ifndef LICIT_SCHEDULER_TASK_STATE_HPP
#define LICIT_SCHEDULER_TASK_STATE_HPP

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/task_state_orders.hpp>

namespace licit::inline v0 {

class task_header;

/// What a completion found, and what its caller must do for it.
struct completion {
  bool awaited;   ///< a joiner is registered: read `joiner()`, tell it, and give back the reference that it had
  bool detached;  ///< there is no handle any more: an exception is the caller's to report
  bool last;      ///< the reference that was given back was the last: destroy the task
};

/// What an operation makes of the word that it found.
struct task_state_rules {
  bool knows_yields = true;         ///< `begin`: a task that yielded is running already
  bool heeds_notifications = true;  ///< `suspend`: a task that was notified during the run is scheduled again
  bool heeds_joiners = true;        ///< `complete`: a registered joiner is told
};

/// A Joiner is trivially copyable, and Joiner{} stands for a thread that sleeps in `wait`.
template <class Policy = native, class Joiner = task_header*>
class task_state {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_state_orders, Name>;

 public:
  /// Scheduled, with so many references: one is the task's own until it is complete.
  explicit task_state(std::uint32_t references) : word_{scheduled + references * reference} {}

  task_state(const task_state&) = delete;
  task_state& operator=(const task_state&) = delete;

  /// Whoever took the task from a queue, once for each time that it was put there: it is running, or goes on after a
  /// yield, which it spent in the queue as running. False: it was cancelled, and is to be completed without being run.
  /// What is notified to a running task stays so, and makes `suspend` schedule it once more.
  [[nodiscard]] bool begin() {
    const std::uint32_t seen = word_.load(at<"begin.look">);
    if (rules.knows_yields && (seen & running) != 0) return (seen & cancelled) == 0;
    const std::uint32_t before =
        word_.fetch_xor(scheduled | running, at<"begin.take">);  // reads suspend.leave, wake.notify, cancel.notify
    Policy::invariant(20, (before & (scheduled | running | complete_)) == scheduled);
    return (before & cancelled) == 0;
  }

  /// The runner: the run is over, the task is not. True: it was notified meanwhile; it is scheduled, and the caller
  /// puts it into a queue. False: it is idle, and the caller does not touch it any more.
  [[nodiscard]] bool suspend() {
    const std::uint32_t before = word_.fetch_xor(running, at<"suspend.leave">);  // read by begin.take
    Policy::invariant(21, (before & (running | complete_)) == running);
    return rules.heeds_notifications && (before & scheduled) != 0;
  }

  /// Any thread that has a reference: the task is to run, or to run again. True: it was idle, and the caller puts it
  /// into a queue. Nothing happens to a task that is complete.
  [[nodiscard]] bool wake() {
    return was_idle(word_.fetch_or(scheduled, at<"wake.notify">));  // read by begin.take
  }

  /// Any thread that has a reference: the task is not to run any more. As a wake, and the next `begin` or `resume` says
  /// false. A run that is under way is not disturbed.
  [[nodiscard]] bool cancel() {
    return was_idle(word_.fetch_or(scheduled | cancelled, at<"cancel.notify">));  // read by begin.take
  }

  /// The runner, once: it is complete, and what was written before is visible to who sees that. The task's own
  /// reference is given back with it, unless it is kept, to be released later; without a reference the caller touches
  /// nothing any more.
  completion complete(bool keep) {
    const std::uint32_t before = word_.fetch_add(complete_ - running - (keep ? 0 : reference),
                                                 at<"complete.publish">);  // reads join.register, release.count
    Policy::invariant(22, (before & (running | complete_)) == running);
    const bool last = !keep && before / reference == 1;
    return {rules.heeds_joiners && (before & awaited) != 0, (before & detached) != 0, last};
  }

  /// Who was registered: of the completion that found it.
  [[nodiscard]] Joiner joiner() const { return joiner_.read(); }
  /// For a joiner that is a thread. The caller still has the joiner's reference.
  void wake_sleeper() const { word_.futex_wake_all("complete.wake"); }

  /// Any thread that has a reference: whether the task is complete. Its result is visible then.
  [[nodiscard]] bool done() const { return (look() & complete_) != 0; }

  /// The handle, which has registered nobody: the completion is to find this joiner, and a reference that is its own.
  /// False: the task is complete already, nobody is told.
  [[nodiscard]] bool join(Joiner who) {
    if (done()) return false;
    joiner_.write(who);
    const std::uint32_t before = word_.fetch_add(awaited + reference, at<"join.register">);  // read by complete.publish
    if ((before & complete_) == 0) return true;
    (void)release();  // the handle has another
    return !done();   // for what it acquires
  }

  /// The handle, after `join` said true: nobody is to be told after all. False: the task is complete, and the joiner
  /// was told, or is about to be.
  [[nodiscard]] bool unjoin() {
    const std::uint32_t before = word_.fetch_and(~awaited, at<"unjoin.take">);
    Policy::invariant(23, (before & awaited) != 0);
    if ((before & complete_) != 0) return !done();  // for what it acquires
    (void)release();                                // the handle has another
    return true;
  }

  /// The handle, which has registered nobody; blocks until the task is complete.
  void wait() {
    if (!join(Joiner{})) return;
    until_complete([this](std::uint32_t seen) {
      word_.futex_wait(seen, at<"wait.sleep">);
      return true;
    });
  }

  /// The same, while `left()`, a duration, is positive; at the end nobody is registered. Whether the task is complete.
  template <class Left>
  [[nodiscard]] bool wait_for(Left left) {
    if (!join(Joiner{})) return true;
    constexpr std::chrono::nanoseconds zero{};
    until_complete([&](std::uint32_t seen) {
      const std::chrono::nanoseconds most = left();
      if (most > zero) word_.futex_wait_for(seen, most, at<"wait.sleep_for">);
      return most > zero;
    });
    return !unjoin();
  }

  /// The handle, once, before it gives its reference back: who completes the task reports an exception. False: it was
  /// complete already, and reporting is the handle's.
  [[nodiscard]] bool detach() {
    const std::uint32_t before = word_.fetch_or(detached, at<"detach.tell">);
    return (before & complete_) == 0 || !done();  // for what it acquires
  }

  /// The one thread that runs a task whose wakers call `rouse`: blocks until the task is scheduled.
  void rest() const {
    for (;;) {
      const std::uint32_t seen = word_.load(at<"rest.look">);
      if ((seen & scheduled) != 0) return;
      word_.futex_wait(seen, at<"rest.sleep">);
    }
  }
  /// Whoever was told by `wake` or `cancel` to schedule such a task.
  void rouse() const { word_.futex_wake_all("rouse"); }

  /// Any thread that has a reference: one more. More than eight million at once end the program.
  void retain() {
    const std::uint32_t before = word_.fetch_add(reference, at<"retain.count">);
    if (before / reference >= most_references) [[unlikely]]
      too_many();
  }

  /// Any thread: gives one back. True: it was the last; the caller destroys the task.
  [[nodiscard]] bool release() {
    const std::uint32_t before = word_.fetch_sub(reference, at<"release.count">);  // reads complete.publish, itself
    Policy::invariant(24, before / reference >= 1);
    return before / reference == 1;
  }

 private:
  static constexpr auto rules = rules_of<task_state_rules, Policy>();

  static constexpr std::uint32_t scheduled = 1;  ///< in a queue; while running: to be put there at the end of the run
  static constexpr std::uint32_t running = 2;    ///< also in a queue, after a yield
  static constexpr std::uint32_t complete_ = 4;
  static constexpr std::uint32_t cancelled = 8;
  static constexpr std::uint32_t awaited = 16;  ///< `joiner_` is the completion's; without it, the handle's
  static constexpr std::uint32_t detached = 32;
  static constexpr std::uint32_t reference = 256;  ///< and upwards: how many there are
  static constexpr std::uint32_t most_references = std::uint32_t{1} << 23;

  static bool was_idle(std::uint32_t before) { return (before & (scheduled | running | complete_)) == 0; }

  [[nodiscard]] std::uint32_t look() const { return word_.load(at<"look.state">); }  // reads complete.publish

  template <class Sleep>
  void until_complete(Sleep sleep) const {
    for (;;) {
      const std::uint32_t seen = look();
      if ((seen & complete_) != 0 || !sleep(seen)) return;
    }
  }

  [[noreturn, gnu::cold]] static void too_many() {
    std::fputs("licit: more than 8388608 references to one task (wakers, or handles that wait for it)\n", stderr);
    std::abort();
  }

  mutable typename Policy::template atomic<std::uint32_t> word_;
  typename Policy::template plain<Joiner> joiner_;
};

}  // namespace licit::inline v0

#endif
