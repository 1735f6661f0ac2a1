/// The state of a task: one 32-bit word, which only read-modify-writes change and which also counts references, and a
/// place for the joiner, who waits for the task. scheduler/task/README.md has the states and the numbers of the proof.
///
/// Every operation is wait-free with one or two read-modify-writes, except those that sleep. The count is in the word
/// so that completion is one read-modify-write that also drops a reference. The word is the futex on which threads
/// wait, so nothing else must be kept alive for them.
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

/// What a completion found, and what its caller must do.
struct completion {
  bool awaited;   ///< a joiner is registered: read `joiner()`, tell it, and release its reference
  bool detached;  ///< there is no handle any more: the caller reports an exception
  bool last;      ///< the dropped reference was the last: destroy the task
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
  /// Initially scheduled, with so many references. Some are the task's own until it is complete.
  explicit task_state(std::uint32_t references) : word_{scheduled + references * reference} {}

  task_state(const task_state&) = delete;
  task_state& operator=(const task_state&) = delete;

  /// The worker that took the task from a queue, once for each time that it was queued. Makes it running; a task that
  /// yielded was already running in the queue. False: the task was cancelled; complete it without running it. A wake-up
  /// during the run stays in the word, and makes `suspend` schedule the task again.
  [[nodiscard]] bool begin() {
    const std::uint32_t seen = word_.load(at<"begin.look">);
    if (rules.knows_yields && (seen & running) != 0) return (seen & cancelled) == 0;
    const std::uint32_t before =
        word_.fetch_xor(scheduled | running, at<"begin.take">);  // reads suspend.leave, wake.notify, cancel.notify
    Policy::invariant(20, (before & (scheduled | running | complete_)) == scheduled);
    return (before & cancelled) == 0;
  }

  /// The runner, when the run is over but the task is not complete. True: the task was woken meanwhile and is
  /// scheduled; the caller queues it. False: it is idle, and the caller must not touch it any more.
  [[nodiscard]] bool suspend() {
    const std::uint32_t before = word_.fetch_xor(running, at<"suspend.leave">);  // read by begin.take
    Policy::invariant(21, (before & (running | complete_)) == running);
    return rules.heeds_notifications && (before & scheduled) != 0;
  }

  /// Any thread with a reference. Wakes the task, to run, or to run again. True: it was idle; the caller queues it. No
  /// effect on a complete task.
  [[nodiscard]] bool wake() {
    return was_idle(word_.fetch_or(scheduled, at<"wake.notify">));  // read by begin.take
  }

  /// Any thread with a reference. Cancels the task: like `wake`, and the next `begin` returns false. Does not disturb a
  /// run that is under way.
  [[nodiscard]] bool cancel() {
    return was_idle(word_.fetch_or(scheduled | cancelled, at<"cancel.notify">));  // read by begin.take
  }

  /// The runner, once. Completes the task: a thread that sees this sees what was written before. Also drops so many
  /// references: the task's own, apart from one that the caller keeps to release it later. Without a reference the
  /// caller must not touch the task any more.
  completion complete(std::uint32_t dropped) {
    const std::uint32_t before = word_.fetch_add(complete_ - running - dropped * reference,
                                                 at<"complete.publish">);  // reads join.register, release.count
    Policy::invariant(22, (before & (running | complete_)) == running);
    Policy::invariant(24, before / reference >= dropped);
    const bool last = dropped != 0 && before / reference == dropped;
    return {rules.heeds_joiners && (before & awaited) != 0, (before & detached) != 0, last};
  }

  /// The registered joiner, for the completion that found it.
  [[nodiscard]] Joiner joiner() const { return joiner_.read(); }
  /// Wakes a joiner that is a thread. The caller still holds the joiner's reference.
  void wake_sleeper() const { word_.futex_wake_all("complete.wake"); }

  /// Any thread with a reference. Whether the task is complete; its result is then visible.
  [[nodiscard]] bool done() const { return (look() & complete_) != 0; }

  /// The handle, with no joiner registered. Registers one, with a reference of its own, for the completion to find.
  /// False: the task is already complete, and nobody will be told.
  [[nodiscard]] bool join(Joiner who) {
    if (done()) return false;
    joiner_.write(who);
    const std::uint32_t before = word_.fetch_add(awaited + reference, at<"join.register">);  // read by complete.publish
    if ((before & complete_) == 0) return true;
    (void)release();  // the handle has another
    return !done();   // for what it acquires
  }

  /// The handle, after `join` returned true. Takes the joiner back. False: the task is complete, and the joiner was
  /// told or is about to be.
  [[nodiscard]] bool unjoin() {
    const std::uint32_t before = word_.fetch_and(~awaited, at<"unjoin.take">);
    Policy::invariant(23, (before & awaited) != 0);
    if ((before & complete_) != 0) return !done();  // for what it acquires
    (void)release();                                // the handle has another
    return true;
  }

  /// The handle, with no joiner registered. Blocks until the task is complete.
  void wait() {
    if (!join(Joiner{})) return;
    until_complete([this](std::uint32_t seen) {
      word_.futex_wait(seen, at<"wait.sleep">);
      return true;
    });
  }

  /// The same while the duration `left()` is positive. Afterwards no joiner is registered. Returns whether the task is
  /// complete.
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

  /// The handle, once, before it releases its reference. The thread that completes the task will report an exception.
  /// False: the task was already complete, and the handle reports.
  [[nodiscard]] bool detach() {
    const std::uint32_t before = word_.fetch_or(detached, at<"detach.tell">);
    return (before & complete_) == 0 || !done();  // for what it acquires
  }

  /// The one thread that runs a task whose wakers call `rouse`. Blocks until the task is scheduled.
  void rest() const {
    for (;;) {
      const std::uint32_t seen = word_.load(at<"rest.look">);
      if ((seen & scheduled) != 0) return;
      word_.futex_wait(seen, at<"rest.sleep">);
    }
  }
  /// A thread that `wake` or `cancel` told to schedule such a task.
  void rouse() const { word_.futex_wake_all("rouse"); }

  /// Any thread with a reference. Adds one. More than eight million at once end the program.
  void retain() {
    const std::uint32_t before = word_.fetch_add(reference, at<"retain.count">);
    if (before / reference >= most_references) [[unlikely]]
      too_many();
  }

  /// Any thread. Drops one reference. True: it was the last; the caller destroys the task.
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
