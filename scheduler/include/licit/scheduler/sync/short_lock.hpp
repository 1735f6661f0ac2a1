/// A lock for a few instructions: it guards the lists of waiters.
#ifndef LICIT_SCHEDULER_SHORT_LOCK_HPP
#define LICIT_SCHEDULER_SHORT_LOCK_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/sync/waiters_orders.hpp>

namespace licit::inline v0 {

struct short_lock_rules {
  unsigned tries = 64;  ///< how often a thread tries to take the lock before it sleeps
  bool wakes = true;    ///< a thread that frees a lock for which others wait wakes one of them
  bool expects = true;  ///< each try expects a free lock, whatever the try before it has seen
};

/// Source: U. Drepper, "Futexes Are Tricky" (2011), the second mutex. Nobody may suspend, wait, allocate or call a
/// user's function while holding it.
template <class Policy = native>
class short_lock {
  template <fixed_string Name>
  static constexpr auto at = site_of<waiters_orders, Name>;

 public:
  short_lock() = default;
  short_lock(const short_lock&) = delete;
  short_lock& operator=(const short_lock&) = delete;
  ~short_lock() = default;

  /// Any thread that does not hold it. One compare-exchange if it is free; otherwise the thread tries for some
  /// microseconds, and sleeps.
  void lock() {
    std::uint32_t seen = free;
    for (unsigned n = 0; n != rules.tries; ++n) {
      if (rules.expects) seen = free;
      if (word_.compare_exchange(seen, held, at<"lock.take">)) return;  // reads lock.free
      if (seen == awaited) break;
      detail::relax(1 + (n & 7U));
    }
    while (word_.exchange(awaited, at<"lock.wait">) != free) word_.futex_wait(awaited, at<"lock.sleep">);
  }

  /// The thread that holds it. The lock may be gone as soon as another thread can take it: the wake-up does not access
  /// it. Wait-free: one exchange, and a system call if others wait.
  void unlock() {
    const std::uint32_t before = word_.exchange(free, at<"lock.free">);  // read by lock.take, lock.wait
    if (before == awaited && rules.wakes) word_.futex_wake_one("lock.wake");
  }

 private:
  static constexpr auto rules = rules_of<short_lock_rules, Policy>();
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t awaited = 2;  ///< held, and others may sleep

  typename Policy::template atomic<std::uint32_t> word_;
};

/// The lock of a policy: its own, of a checker that has one, or the short lock.
template <class Policy>
struct lock_for {
  using type = short_lock<Policy>;
};
template <class Policy>
  requires requires { typename Policy::guard_of_lists; }
struct lock_for<Policy> {
  using type = typename Policy::guard_of_lists;
};

}  // namespace licit::inline v0

#endif
