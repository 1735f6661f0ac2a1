/// How long a worker has been asleep.
#ifndef LICIT_SCHEDULER_PARKED_TIME_HPP
#define LICIT_SCHEDULER_PARKED_TIME_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>

namespace licit::inline v0::detail {

/// The time that a worker has been parked, in one word. While the worker is awake, the word is the sum. While it is
/// parked, the word is the moment of the park minus the sum, so that now minus the word is the sum so far. The lowest
/// bit says which.
template <class Policy = native>
class parked_time {
 public:
  /// The one writer only, alternately. Wait-free.
  void parks(std::uint64_t now_ns) { change(((now_ns - sum_) << 1) | 1); }
  void wakes(std::uint64_t now_ns) {
    sum_ = of(word_, now_ns);
    change(sum_ << 1);
  }

  /// Any thread. The sum up to now. Lock-free: repeats if the worker parks or wakes meanwhile. For a worker that is
  /// just waking the sum may be too high by the time since it has read the clock.
  template <class Clock>
  [[nodiscard]] std::uint64_t read() const {
    std::uint64_t word = ~std::uint64_t{0};  // no word is that
    std::uint64_t now = 0;
    for (;;) {
      const std::uint64_t seen = shared_.load(at<"parked.read">);
      if (seen == word) return of(word, now);
      word = seen;
      now = Clock::now();
    }
  }

 private:
  template <fixed_string Name>
  static constexpr auto at = site_of<metrics_orders, Name>;

  static std::uint64_t of(std::uint64_t word, std::uint64_t now_ns) {
    const std::uint64_t value = word >> 1;
    if ((word & 1) == 0) return value;
    return now_ns > value ? now_ns - value : 0;
  }
  void change(std::uint64_t word) {
    word_ = word;
    shared_.store(word, at<"parked.change">);
  }

  typename Policy::template atomic<std::uint64_t> shared_;
  std::uint64_t word_ = 0;  ///< the same, for its writer
  std::uint64_t sum_ = 0;
};

}  // namespace licit::inline v0::detail

#endif
