/// Parties that wait for one another, phase by phase.
#ifndef LICIT_SCHEDULER_BARRIER_HPP
#define LICIT_SCHEDULER_BARRIER_HPP

#include <cstdint>
#include <stdexcept>

#include <licit/deque/errors.hpp>
#include <licit/scheduler/sync/rendezvous.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

/// Must outlive every call on it.
class barrier {
  struct arriving {
    static constexpr const char* what = "co_await arrive_and_wait";
    rendezvous<>* of;
    rendezvous<>::arrival how = rendezvous<>::arrival::waits;

    // An arrival cannot be taken back, so it is not tried without a waiter.
    [[nodiscard]] static bool try_now() noexcept { return false; }
    [[nodiscard]] static bool hold() noexcept { return false; }
    [[nodiscard]] bool begin(waiter<>& who) noexcept {
      how = of->arrive_or_wait(who);
      return how != rendezvous<>::arrival::waits;
    }
    [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->cancel(who); }
    static void undo() noexcept {}
    [[nodiscard]] bool finish(detail::ending /*how*/, answer /*what*/) const {
      if (how == rendezvous<>::arrival::refused) refuse();
      return how == rendezvous<>::arrival::last;
    }
  };

 public:
  explicit barrier(std::uint64_t parties) : of_{parties} {}

  /// `co_await b.arrive_and_wait();` in a coroutine that was spawned or runs in `block_on`. Goes on when as many have
  /// arrived as there are parties; returns true to the last, if that was not an `arrive_and_drop`. What each did before
  /// is visible to all. A coroutine that is cancelled while it waits has arrived all the same. Costs one of the budget.
  /// Throws std::overflow_error if there are no parties (left), and std::logic_error outside of such a coroutine.
  [[nodiscard]] auto arrive_and_wait() noexcept { return detail::sync_awaiter<arriving>(&of_); }
  /// A thread that is in no task. Blocks. Throws the same, and std::system_error (resource_deadlock_would_occur) in a
  /// task.
  bool blocking_arrive_and_wait() { return detail::wait_in_thread(arriving{&of_}); }
  /// Any thread. Arrives, does not wait, and is no longer a party from the next phase on. One short lock. Throws
  /// std::overflow_error if there are no parties left.
  void arrive_and_drop() {
    if (!of_.arrive_and_drop()) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    detail::raise(std::overflow_error("licit: more arrivals at a barrier than it has parties"));
  }

  rendezvous<> of_;
};

}  // namespace licit::inline v0

#endif
