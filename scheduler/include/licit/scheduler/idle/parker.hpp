/// Where one thread sleeps until another wakes it: a token, on a futex, without a time limit.
///
/// Sources: the states are those of Rust's `std::thread::park` and of Tokio's parker (empty, parked, notified); one
/// subtraction makes the step into both that park may have to take, as in the former.
///
/// This class trusts its caller to be the right thread.
#ifndef LICIT_SCHEDULER_PARKER_HPP
#define LICIT_SCHEDULER_PARKER_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/idle/parker_orders.hpp>

namespace licit::inline v0 {

template <class Policy = native>
class parker {
  template <fixed_string Name>
  static constexpr auto at = site_of<parker_orders, Name>;

 public:
  parker() : word_{empty} {}

  /// No other thread may be in `unpark`, but for its last step: the wake of a word that may be gone.
  ~parker() = default;

  parker(const parker&) = delete;
  parker& operator=(const parker&) = delete;

  /// Its thread only; blocks until there is a token, and takes it. One read-modify-write where it is there already,
  /// else also a kernel call for each time that it sleeps. What was written before any unpark since the last park, this
  /// one's token's included, is visible then.
  void park() {
    if (word_.fetch_sub(1, at<"park.begin">) == notified) return;  // reads unpark.swap
    for (;;) {
      word_.futex_wait(parked, at<"park.sleep">);
      std::uint32_t token = notified;
      if (word_.compare_exchange(token, empty, at<"park.take">)) return;  // reads unpark.swap
    }
  }

  /// Any thread: leaves a token, one for all unparks until the next park. Wait-free: one read-modify-write, and a
  /// kernel call if the thread sleeps.
  void unpark() {
    const std::uint32_t before = word_.exchange(notified, at<"unpark.swap">);  // read by park.begin, park.take
    if (before == parked) word_.futex_wake_one("unpark.wake");
  }

 private:
  // In this order: park's subtraction makes `empty` of `notified` and `parked` of `empty` (I50).
  static constexpr std::uint32_t parked = 0;
  static constexpr std::uint32_t empty = 1;
  static constexpr std::uint32_t notified = 2;

  typename Policy::template atomic<std::uint32_t> word_;
};

}  // namespace licit::inline v0

#endif
