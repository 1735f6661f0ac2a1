/// Mutual exclusion for coroutines: a coroutine that waits is suspended, and blocks no worker.
#ifndef LICIT_SCHEDULER_MUTEX_HPP
#define LICIT_SCHEDULER_MUTEX_HPP

#include <utility>

#include <licit/scheduler/sync/permits.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0 {

class mutex;

/// Holds a mutex, or none. Its destruction unlocks. One thread at a time uses it; it may unlock in another thread than
/// the one that locked.
class [[nodiscard]] mutex_guard {
 public:
  mutex_guard() = default;
  mutex_guard(mutex_guard&& o) noexcept : of_{std::exchange(o.of_, nullptr)} {}
  mutex_guard& operator=(mutex_guard&& o) noexcept {
    if (this != &o) {
      unlock();
      of_ = std::exchange(o.of_, nullptr);
    }
    return *this;
  }
  ~mutex_guard() { unlock(); }

  /// Unlocks, if it holds a mutex: hands the mutex to the waiter that has waited longest. Wait-free if nobody waits;
  /// otherwise also a short lock.
  inline void unlock() noexcept;
  [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }

 private:
  friend class mutex;
  explicit mutex_guard(mutex& of) noexcept : of_{&of} {}

  mutex* of_ = nullptr;
};

/// First come, first served: while somebody waits, nobody overtakes. Not recursive: a coroutine that locks it twice
/// waits forever. Must outlive every call on it, including an unlock that hands it over.
class mutex {
  struct locking {
    static constexpr const char* what = "co_await lock";
    mutex* of;

    [[nodiscard]] bool try_now() const noexcept { return of->one_.try_take_of(1, 1); }
    [[nodiscard]] bool hold() const noexcept { return try_now(); }
    [[nodiscard]] bool begin(waiter<>& who) const noexcept {
      who.asks.write(1);
      return of->one_.take_or_wait(who);
    }
    [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return of->one_.cancel(who); }
    void undo() const noexcept { of->unlock(); }
    [[nodiscard]] mutex_guard finish(detail::ending /*how*/, answer /*what*/) const noexcept {
      return mutex_guard(*of);
    }
  };

 public:
  mutex() : one_{1} {}

  /// `mutex_guard held = co_await m.lock();` in a coroutine that was spawned or runs in `block_on`. Waits until nobody
  /// holds the mutex, and holds it. One compare-exchange if it is free; costs one of the budget. A coroutine that is
  /// cancelled while it waits leaves the line, and one that was handed the mutex hands it on. Throws std::logic_error
  /// if it has to wait outside of such a coroutine.
  [[nodiscard]] auto lock() noexcept { return detail::sync_awaiter<locking>(this); }

  /// Any thread, and any task. The guard holds nothing if the mutex is held, or others wait. Lock-free.
  [[nodiscard]] mutex_guard try_lock() noexcept { return one_.try_take(1) ? mutex_guard(*this) : mutex_guard(); }

  /// A thread that is in no task. Blocks until it holds the mutex, in line with the coroutines. Throws
  /// std::system_error (resource_deadlock_would_occur) in a task.
  [[nodiscard]] mutex_guard blocking_lock() { return detail::wait_in_thread(locking{this}); }

 private:
  friend class mutex_guard;
  void unlock() noexcept { (void)one_.give_beside(0, 1, 1); }

  permits<> one_;
};

void mutex_guard::unlock() noexcept {
  if (of_ != nullptr) std::exchange(of_, nullptr)->unlock();
}

}  // namespace licit::inline v0

#endif
