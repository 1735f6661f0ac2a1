/// A number of permits, for which coroutines and threads wait.
#ifndef LICIT_SCHEDULER_SEMAPHORE_HPP
#define LICIT_SCHEDULER_SEMAPHORE_HPP

#include <cstdint>
#include <stdexcept>

#include <licit/deque/errors.hpp>
#include <licit/scheduler/sync/permits.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

/// First come, first served, even if the first waiter asks for more permits than are free and others ask for fewer.
/// Must outlive every call on it.
class semaphore {
  struct acquiring {
    static constexpr const char* what = "co_await acquire";
    semaphore* of;
    std::uint32_t number;

    [[nodiscard]] bool try_now() const noexcept { return of->free_.try_take(number); }
    [[nodiscard]] bool hold() const noexcept { return try_now(); }
    [[nodiscard]] bool begin(waiter<>& who) const noexcept {
      who.asks.write(number);
      return of->free_.take_or_wait(who);
    }
    [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->free_.cancel(who); }
    void undo() const noexcept { (void)of->free_.give(number, most); }
    void finish(detail::ending /*how*/, answer /*what*/) const noexcept {}
  };

 public:
  /// The most permits that there may be at a time.
  static constexpr std::uint32_t most = permits<>::most;

  /// Throws std::out_of_range for more than `most`.
  explicit semaphore(std::uint32_t free) : free_{checked(free)} {}

  /// `co_await s.acquire(n);` in a coroutine that was spawned or runs in `block_on`. Waits until n permits are free,
  /// and takes them all at once. One compare-exchange if they are; costs one of the budget. A coroutine that is
  /// cancelled while it waits takes none. Waits forever for more permits than will ever be free; throws
  /// std::out_of_range for more than `most`, and std::logic_error if it has to wait outside such a coroutine. For 0
  /// permits it waits only while others do.
  [[nodiscard]] auto acquire(std::uint32_t number = 1) {
    return detail::sync_awaiter<acquiring>(this, checked(number));
  }
  /// Any thread, and any task. False: fewer permits are free, or others wait; nothing has changed. Lock-free.
  [[nodiscard]] bool try_acquire(std::uint32_t number = 1) noexcept { return number <= most && free_.try_take(number); }
  /// A thread that is in no task. Blocks. Throws as `acquire`, and std::system_error (resource_deadlock_would_occur) in
  /// a task.
  void blocking_acquire(std::uint32_t number = 1) { detail::wait_in_thread(acquiring{this, checked(number)}); }

  /// Any thread, also one that has acquired none. Permits become free, and go to the waiters in their order. Lock-free
  /// if nobody waits; otherwise also a short lock. Throws std::overflow_error if more than `most` would be free;
  /// nothing has changed then. Permits that a cancelled waiter gives back count too, but do not throw: at the limit
  /// they are dropped.
  void release(std::uint32_t number = 1) {
    if (!free_.give(number, most)) {
      detail::raise(std::overflow_error("licit: release: more than 2147483647 permits of a semaphore would be free"));
    }
  }

  /// Any thread. How many were free a moment ago. Wait-free.
  [[nodiscard]] std::uint32_t available() const noexcept { return free_.free_now(); }

 private:
  static std::uint32_t checked(std::uint32_t number) {
    if (number > most) detail::raise(std::out_of_range("licit: a semaphore has at most 2147483647 permits"));
    return number;
  }

  permits<> free_;
};

}  // namespace licit::inline v0

#endif
