/// A number of arrivals to wait for, once.
#ifndef LICIT_SCHEDULER_LATCH_HPP
#define LICIT_SCHEDULER_LATCH_HPP

#include <cstdint>
#include <stdexcept>

#include <licit/deque/errors.hpp>
#include <licit/scheduler/sync/gate.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

/// May be destroyed as soon as one wait has returned and nobody else waits, also while the last `count_down` is about
/// to return.
class latch {
  struct waiting {
    static constexpr const char* what = "co_await wait";
    gate<>* of;

    // Under the lock: the thread that opens the gate must have left it.
    [[nodiscard]] static bool try_now() noexcept { return false; }
    [[nodiscard]] bool hold() const noexcept { return of->is_open(); }
    [[nodiscard]] bool begin(waiter<>& who) const noexcept { return of->pass_or_wait(who); }
    [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->cancel(who); }
    void undo() const noexcept {}
    void finish(detail::ending how, answer /*what*/) const noexcept {
      if (how != detail::ending::now) of->let_opener_leave();
    }
  };

 public:
  explicit latch(std::uint64_t number) : gate_{number} {}

  /// Any thread. Counts `number` arrivals; the last arrival wakes all waiters. What the threads did before they counted
  /// down is visible to the waiters. One short lock. Throws std::overflow_error if fewer arrivals are missing; nothing
  /// has changed then.
  void count_down(std::uint64_t number = 1) {
    if (!gate_.arrive(number)) detail::raise(std::overflow_error("licit: a latch is counted down below zero"));
  }
  /// Any thread. Whether all have arrived. Wait-free.
  [[nodiscard]] bool try_wait() const noexcept { return gate_.is_open(); }
  /// `co_await l.wait();` in a coroutine that was spawned or runs in `block_on`. Goes on when all have arrived. Costs
  /// one of the budget. Throws std::logic_error outside of such a coroutine.
  [[nodiscard]] auto wait() noexcept { return detail::sync_awaiter<waiting>(&gate_); }
  /// The same, after `count_down()`, which it throws from.
  [[nodiscard]] auto arrive_and_wait() {
    count_down();
    return wait();
  }
  /// A thread that is in no task. Blocks. Throws std::system_error (resource_deadlock_would_occur) in a task.
  void blocking_wait() { detail::wait_in_thread(waiting{&gate_}); }

 private:
  gate<> gate_;
};

}  // namespace licit::inline v0

#endif
