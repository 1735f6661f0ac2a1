/// The state of a task: one 32-bit word, which also counts references, and a place for the joiner, who waits for
/// the task. Only read-modify-writes change the word, except of a task to which one thread has all references.
/// scheduler/task/README.md has the states and the numbers of the proof.
///
/// Every operation is wait-free with at most two read-modify-writes, except those that sleep. The count is in the word
/// so that completion is one operation. The word is the futex on which threads wait: nothing else is kept alive for it.
#ifndef LICIT_SCHEDULER_TASK_STATE_HPP
#define LICIT_SCHEDULER_TASK_STATE_HPP

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/task/task_rules.hpp>
#include <licit/scheduler/task/task_state_orders.hpp>

namespace licit::inline v0 {

class task_header;

/// A Joiner is trivially copyable, and Joiner{} stands for a thread that sleeps in `wait`.
template <class Policy = native, class Joiner = task_header*>
class task_state {
  template <fixed_string Name>
  static constexpr auto at = site_of<task_state_orders, Name>;

 public:
  /// Initially scheduled, with so many references. Some are the task's own until it is complete.
  explicit task_state(std::uint32_t references) : word_{scheduled + fresh + references * reference} {}

  task_state(const task_state&) = delete;
  task_state& operator=(const task_state&) = delete;

  /// The worker that took the task's entry from a queue, once for each time that it was queued. Makes the task running;
  /// a task that yielded was already running in the queue. A wake-up during the run stays in the word, and makes
  /// `suspend` schedule the task again. Lock-free: repeats what another thread's change of the word made fail.
  [[nodiscard]] beginning begin() {
    std::uint32_t seen = word_.load(at<"begin.look">);
    for (;;) {
      if ((seen & scheduled) != 0 && (seen & (running | complete_)) == 0) {
        const std::uint32_t own = (seen & stale) != 0 ? of_entry : 0;  // the stale entry is the task's again
        if (word_.compare_exchange(seen, begun(seen) - own, at<"begin.take">)) return how(seen);  // reads suspend.leave
      } else if ((seen & stale) != 0) {
        if (const auto what = drop_stale(seen)) return *what;
      } else {
        Policy::invariant(20, rules.knows_yields && (seen & (running | complete_)) == running);
        return how(seen);
      }
    }
  }

  /// The worker that took the task's entry from a queue, to put it back unless it is stale. `runs`: it is not, and
  /// nothing has happened. Otherwise as `begin`. Lock-free.
  [[nodiscard]] beginning discard() {
    std::uint32_t seen = look();
    for (;;) {
      const bool again = (seen & scheduled) != 0 && (seen & (running | complete_)) == 0;  // the entry is the task's
      if ((seen & stale) == 0 || (again && rules.spares_scheduled)) return beginning::runs;
      if (const auto what = drop_stale(seen)) return *what;
    }
  }

  /// Any thread with a reference. Takes a task that has not begun out of its turn: makes it running, and the caller
  /// runs it. The entry stays in the queue, stale, with a reference; `begin` discards it, unless the task is scheduled
  /// again first. `stale`: the task is not to be taken, or the word has changed at the same time; nothing has happened.
  /// Wait-free. Not of a task that was woken: its waker may still have to queue it, on an executor that could end if
  /// the task ran before that.
  [[nodiscard]] beginning claim() {
    std::uint32_t seen = word_.load(at<"claim.look">);
    const std::uint32_t not_begun = rules.claims_what_was_woken ? 0 : fresh;
    if ((seen & (scheduled | running | complete_ | not_begun)) != (scheduled | not_begun)) return beginning::stale;
    const std::uint32_t left = (seen & stale) != 0 ? 0 : of_entry;
    const bool taken = word_.compare_exchange(seen, begun(seen) + left, at<"claim.take">);  // reads wake.notify
    return taken ? how(seen) : beginning::stale;
  }

  /// Any thread with a reference. Whether a claim might take the task now.
  [[nodiscard]] bool may_be_claimed() const {
    return (look() & (scheduled | running | complete_ | fresh)) == (scheduled | fresh);
  }

  /// The thread that took the task's entry from a queue, with the task's handle, which nobody uses meanwhile, and its
  /// `own` references. As `begin`, by a load and a store, if the task is fresh and there is no reference but these, so
  /// that nobody else can change the word. False: nothing has happened.
  [[nodiscard]] bool begin_alone(std::uint32_t own) {
    const std::uint32_t all = (own + 1) * reference;
    if (rules.looks_for_others && word_.load(at<"alone.look">) != scheduled + fresh + all) return false;
    word_.store(running + all, at<"alone.take">);
    return true;
  }
  /// The same at the end of that run: as `complete`, if still so, and nobody woke the task.
  [[nodiscard]] bool complete_alone(std::uint32_t own) {
    if (rules.looks_again && word_.load(at<"alone.again">) != running + (own + 1) * reference) return false;
    word_.store(complete_ + reference, at<"alone.complete">);
    return true;
  }

  /// The runner, when the run is over but the task is not complete. True: the task was woken meanwhile and is
  /// scheduled; the caller queues it. False: it is idle, or has an entry in a queue; the caller is done with it.
  [[nodiscard]] bool suspend() {
    const std::uint32_t before = word_.fetch_xor(running, at<"suspend.leave">);  // read by begin.take, *.notify
    Policy::invariant(21, (before & (running | complete_)) == running);
    return rules.heeds_notifications && (before & scheduled) != 0 && needs_entry(before);
  }

  /// The runner, instead of `suspend`, when the task is to run again. True: the caller queues it. False: it has an
  /// entry in a queue; the caller must not touch it any more.
  [[nodiscard]] bool yield() {
    if ((word_.load(at<"yield.look">) & stale) == 0) return true;
    (void)word_.fetch_or(scheduled, at<"yield.again">);
    return suspend();
  }

  /// The runner. Whether an entry of the task is in a queue, so that `yield` will be false.
  [[nodiscard]] bool has_entry() const { return (word_.load(at<"entry.look">) & stale) != 0; }

  /// Any thread with a reference. Wakes the task, to run, or to run again. True: it was idle; the caller queues it. No
  /// effect on a complete task.
  [[nodiscard]] bool wake() {
    return was_idle(word_.fetch_or(scheduled, at<"wake.notify">));  // read by begin.take; reads suspend.leave
  }

  /// Any thread with a reference, before `cancel`.
  [[nodiscard]] stop_step begin_to_stop() {
    const std::uint32_t before = word_.fetch_or(stopping, at<"stop.begin">);  // read by ask.tell; reads ask.tell
    if ((before & asked) == 0) return stop_step::cancel;
    return (before & stopping) == 0 ? stop_step::request : stop_step::leave;
  }
  /// The same thread. Like `wake`, and the next `begin` returns `cancelled`. Disturbs no run under way.
  [[nodiscard]] bool cancel() {
    return was_idle(word_.fetch_or(scheduled | cancelled, at<"cancel.notify">));  // as wake.notify
  }

  /// The runner, once, when the task's stop source is there. True: somebody is about to cancel the task, and the caller
  /// requests the stop. Otherwise the first who begins to stop it will.
  [[nodiscard]] bool ask() {
    const std::uint32_t before = word_.fetch_or(asked, at<"ask.tell">);  // read by stop.begin; reads stop.begin
    return (before & stopping) != 0;
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

  /// Any thread with a reference. Whether somebody has cancelled the task.
  [[nodiscard]] bool is_cancelled() const { return (look() & cancelled) != 0; }

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

  /// Any thread with a reference. Adds one. More than two million at once end the program.
  void retain() {
    const std::uint32_t before = word_.fetch_add(reference, at<"retain.count">);
    if (before / reference >= most_references) too_many();
  }

  /// Any thread. Drops one reference. True: it was the last; the caller destroys the task. A load if there is no other.
  [[nodiscard]] bool release() {
    if (word_.load(at<"release.look">) / reference == 1) return true;
    const std::uint32_t before = word_.fetch_sub(reference, at<"release.count">);  // reads complete.publish, itself
    Policy::invariant(24, before / reference >= 1);
    return before / reference == 1;
  }

 private:
  static constexpr auto rules = rules_of<task_state_rules, Policy>();

  /// Drops the stale entry that the word has; nothing: the word was another.
  std::optional<beginning> drop_stale(std::uint32_t& seen) {
    if (seen / reference == of_entry / reference) {
      (void)word_.load(at<"begin.last">);  // reads complete.publish, release.count: nobody else can change it
      return beginning::stale_and_last;
    }
    if (word_.compare_exchange(seen, seen - of_entry, at<"begin.discard">)) return beginning::stale;
    return std::nullopt;
  }

  static constexpr std::uint32_t scheduled = 1;  ///< in a queue; while running: to be put there at the end of the run
  static constexpr std::uint32_t running = 2;    ///< also in a queue, after a yield
  static constexpr std::uint32_t complete_ = 4;
  static constexpr std::uint32_t cancelled = 8;
  static constexpr std::uint32_t awaited = 16;  ///< `joiner_` is the completion's; without it, the handle's
  static constexpr std::uint32_t detached = 32;
  static constexpr std::uint32_t stale = 64;        ///< there is an entry in a queue beside what the other bits say
  static constexpr std::uint32_t fresh = 128;       ///< it has not begun: its first entry is in a queue
  static constexpr std::uint32_t asked = 256;       ///< it has a stop source
  static constexpr std::uint32_t stopping = 512;    ///< somebody is about to cancel it, or has done so
  static constexpr std::uint32_t reference = 1024;  ///< and upwards: how many there are
  static constexpr std::uint32_t most_references = std::uint32_t{1} << 21;
  static constexpr std::uint32_t of_entry = stale + (rules.keeps_entries ? reference : 0);

  static bool needs_entry(std::uint32_t before) { return !rules.reuses_entries || (before & stale) == 0; }
  static bool was_idle(std::uint32_t before) {
    return (before & (scheduled | running | complete_)) == 0 && needs_entry(before);
  }
  static std::uint32_t begun(std::uint32_t before) { return (before & ~fresh) ^ (scheduled | running); }
  static beginning how(std::uint32_t of) { return (of & cancelled) == 0 ? beginning::runs : beginning::cancelled; }

  [[nodiscard]] std::uint32_t look() const { return word_.load(at<"look.state">); }  // reads complete.publish

  template <class Sleep>
  void until_complete(Sleep sleep) const {
    for (;;) {
      const std::uint32_t seen = look();
      if ((seen & complete_) != 0 || !sleep(seen)) return;
    }
  }

  [[noreturn, gnu::cold]] static void too_many() {
    std::fputs("licit: more than 2097152 references to one task (wakers, or handles that wait for it)\n", stderr);
    std::abort();
  }

  mutable typename Policy::template atomic<std::uint32_t> word_;
  typename Policy::template plain<Joiner> joiner_;
};

}  // namespace licit::inline v0

#endif
