/// A token on which one thread sleeps until another wakes it: by a futex, or elsewhere, as in a reactor.
///
/// Sources: the states (empty, parked, notified) are those of Rust's `std::thread::park` and of Tokio's parker. As in
/// the former, one subtraction makes either of the steps with which `park` begins.
///
/// This class does not check that the right thread calls.
#ifndef LICIT_SCHEDULER_PARKER_HPP
#define LICIT_SCHEDULER_PARKER_HPP

#include <chrono>
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

  /// The same, for so long at most; may return earlier for no reason. Whether it took a token.
  bool park_for(std::chrono::nanoseconds most) {
    if (word_.fetch_sub(1, at<"doze.begin">) == notified) return true;  // reads unpark.swap
    word_.futex_wait_for(parked, most, at<"doze.sleep">);
    return word_.exchange(empty, at<"doze.end">) == notified;  // reads unpark.swap
  }

  /// The same, but sleeps in `wait()`, which the interruption must end; or the next `wait`, if it comes too early. Such
  /// a parker must not be destroyed while another thread is in `unpark`. Whether it took a token.
  template <class Wait>
  bool park_outside(Wait&& wait) {
    const bool token = word_.exchange(outside, at<"outside.begin">) == notified;
    if (!token) wait();
    return word_.exchange(empty, at<"outside.end">) == notified || token;  // reads unpark.swap
  }

  /// How another thread ends a sleep that is not in the futex.
  struct interruption {
    void (*call)(void*) noexcept = nullptr;
    void* with = nullptr;
  };
  /// Before any other thread uses the parker.
  void interrupted_by(interruption how) { interruption_ = how; }

  /// Any thread. Leaves a token: one for all unparks until the next park. Wait-free: one read-modify-write, and a
  /// system call if the thread sleeps.
  void unpark() {
    const std::uint32_t before = word_.exchange(notified, at<"unpark.swap">);  // read by each begin, take and end
    if (before == parked) word_.futex_wake_one("unpark.wake");
    if (before == outside) interruption_.call(interruption_.with);
  }

 private:
  // The order matters: park's subtraction turns `notified` into `empty`, and `empty` into `parked` (I50).
  static constexpr std::uint32_t parked = 0;
  static constexpr std::uint32_t empty = 1;
  static constexpr std::uint32_t notified = 2;
  static constexpr std::uint32_t outside = 3;

  typename Policy::template atomic<std::uint32_t> word_;
  interruption interruption_;
};

}  // namespace licit::inline v0

#endif
