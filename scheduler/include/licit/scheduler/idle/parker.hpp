/// A token on which one thread sleeps until another wakes it, by a futex and without a time limit.
///
/// Sources: the states (empty, parked, notified) are those of Rust's `std::thread::park` and of Tokio's parker. As in
/// the former, one subtraction makes either of the steps with which `park` begins.
///
/// This class does not check that the right thread calls.
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

  /// Precondition: no other thread is in `unpark`, except in its last step, the wake-up, which does not access the
  /// word.
  ~parker() = default;

  parker(const parker&) = delete;
  parker& operator=(const parker&) = delete;

  /// The parker's thread only. Blocks until there is a token, and takes it. One read-modify-write if the token is
  /// there, otherwise also a system call for each sleep. What was written before any unpark since the last park is then
  /// visible.
  void park() {
    if (word_.fetch_sub(1, at<"park.begin">) == notified) return;  // reads unpark.swap
    for (;;) {
      word_.futex_wait(parked, at<"park.sleep">);
      std::uint32_t token = notified;
      if (word_.compare_exchange(token, empty, at<"park.take">)) return;  // reads unpark.swap
    }
  }

  /// Any thread. Leaves a token: one for all unparks until the next park. Wait-free: one read-modify-write, and a
  /// system call if the thread sleeps.
  void unpark() {
    const std::uint32_t before = word_.exchange(notified, at<"unpark.swap">);  // read by park.begin, park.take
    if (before == parked) word_.futex_wake_one("unpark.wake");
  }

 private:
  // The order matters: park's subtraction turns `notified` into `empty`, and `empty` into `parked` (I50).
  static constexpr std::uint32_t parked = 0;
  static constexpr std::uint32_t empty = 1;
  static constexpr std::uint32_t notified = 2;

  typename Policy::template atomic<std::uint32_t> word_;
};

}  // namespace licit::inline v0

#endif
