/// A gate that opens when nobody is missing any more, and then lets everybody through: the protocol of the event, of
/// the latch and of the shared future.
#ifndef LICIT_SCHEDULER_GATE_HPP
#define LICIT_SCHEDULER_GATE_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/sync/waiter_list.hpp>

namespace licit::inline v0 {

struct gate_rules {
  bool looks_again = true;           ///< a caller that is about to wait looks at the gate once more, under the lock
  bool tells_openings_apart = true;  ///< a waiter that comes after an opening does not go through by it
  bool counts = true;                ///< more arrivals than are missing are refused
  bool lets_leave = true;            ///< who is to let the opener leave waits for that
  bool lets_finish = true;           ///< also where the opener has freed the lock between two rounds
};

template <class Policy = native, class Task = task_header>
class gate {
  template <fixed_string Name>
  static constexpr auto at = site_of<waiters_orders, Name>;
  using lock_type = typename lock_for<Policy>::type;

 public:
  using waiter_type = waiter<Policy, Task>;

  /// With nobody missing it is open.
  explicit gate(std::uint64_t missing) : missing_{missing}, open_{missing == 0 ? 1U : 0U} {}
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;
  /// Precondition: nobody waits.
  ~gate() = default;

  /// Any thread. Whether it is open; what was done before it opened is then visible. Wait-free.
  [[nodiscard]] bool is_open() const { return open_.load(at<"gate.look">) != 0; }  // reads gate.open

  /// Any thread. Counts `number` arrivals; the last arrival opens the gate, and wakes all waiters. False: fewer were
  /// missing, and nothing has changed.
  bool arrive(std::uint64_t number) {
    lock_.lock();
    const std::uint64_t missing = missing_.read();
    const bool counts = rules.counts ? number <= missing : missing != 0;
    if (counts) missing_.write(missing - number);
    finish(counts && missing == number);
    return counts;
  }
  /// Any thread. Opens it, whoever is missing.
  void open() {
    lock_.lock();
    missing_.write(0);
    finish(true);
  }
  /// Any thread. From now on `missing` arrivals are missing.
  void shut(std::uint64_t missing) {
    lock_.lock();
    missing_.write(missing);
    if (missing != 0) open_.store(0, at<"gate.shut">);
    lock_.unlock();
  }

  /// Any thread. Links the waiter, which will be answered when the gate opens. True: it is open, and the opener has
  /// left it.
  [[nodiscard]] bool pass_or_wait(waiter_type& who) {
    if constexpr (!rules.looks_again) {
      if (is_open()) return true;
    }
    lock_.lock();
    const bool passes = rules.looks_again && missing_.read() == 0;
    if (!passes) {
      who.asks.write(epoch_.read());
      waiting_.link(who);
    }
    const bool in_rounds = passes && in_rounds_.read();
    lock_.unlock();
    if (in_rounds) let_opener_leave();
    return passes;
  }
  /// For a waiter that is cancelled. Whether it was still linked, so that no thread wakes it.
  [[nodiscard]] bool cancel(waiter_type& who) {
    lock_.lock();
    const bool linked = who.is_linked();
    if (linked) waiting_.unlink(who);
    lock_.unlock();
    return linked;
  }

  /// Any thread that knows the gate open. Returns when the thread that opened it no longer uses it, except to wake
  /// waiters that are answered.
  void let_opener_leave() {
    if constexpr (!rules.lets_leave) return;
    lock_.lock();
    const bool in_rounds = rules.lets_finish && in_rounds_.read();
    lock_.unlock();
    if (!in_rounds) return;
    rounds_.lock();  // the opener frees it in its last round
    rounds_.unlock();
    lock_.lock();
    lock_.unlock();
  }

 private:
  static constexpr auto rules = rules_of<gate_rules, Policy>();

  /// Frees the lock. An opening wakes the waiters from before it, and not those that come after another `shut`.
  void finish(bool opens) {
    if (!opens) return lock_.unlock();
    epoch_.write(epoch_.read() + 1);
    open_.store(1, at<"gate.open">);               // read by gate.look
    if (in_rounds_.read()) return lock_.unlock();  // another opener is at it, and wakes these waiters, too
    wake_ups<Policy, Task>::in_rounds(lock_, [&](auto& due) {
      while (!due.full() && awaits_opening()) due.add(waiting_.answer_first(answer::given));
      return goes_on(awaits_opening());
    });
  }
  /// Under the lock. Holds the other lock from the first round to the beginning of the last.
  bool goes_on(bool more) {
    if (more == in_rounds_.read()) return more;
    in_rounds_.write(more);
    if (more) {
      rounds_.lock();  // free, but for who lets an opener leave
    } else {
      rounds_.unlock();
    }
    return more;
  }
  /// Whether somebody waits who came before the last opening.
  [[nodiscard]] bool awaits_opening() const {
    return !waiting_.empty() && (waiting_.front().asks.read() < epoch_.read() || !rules.tells_openings_apart);
  }

  lock_type lock_;
  /// Held while an opener, between two rounds, has freed the lock above. So it is held while tasks are woken, and not
  /// for a few instructions; nobody waits for it but who lets an opener leave.
  lock_type rounds_;
  waiter_list<Policy, Task> waiting_;
  typename Policy::template plain<std::uint64_t> missing_;
  typename Policy::template plain<std::size_t> epoch_;  ///< how often it was opened
  typename Policy::template plain<bool> in_rounds_;
  typename Policy::template atomic<std::uint32_t> open_;
};

}  // namespace licit::inline v0

#endif
