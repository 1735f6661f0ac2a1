/// The interval, in polls, between two looks of a busy worker at the inject queue.
#ifndef LICIT_SCHEDULER_INTERVAL_HPP
#define LICIT_SCHEDULER_INTERVAL_HPP

#include <algorithm>
#include <cstdint>

#include <licit/scheduler/clock.hpp>

namespace licit::inline v0 {

struct interval_options {
  std::uint32_t fixed = 0;           ///< always this many polls, without reading a clock; 0: adapts
  std::uint64_t target_ns = 100000;  ///< the desired time between two looks, in nanoseconds
  std::uint32_t least = 8;           ///< the fewest polls, however long they take
  std::uint32_t most = 255;          ///< the most polls, however short they are
};

namespace detail {

/// For one worker's thread. N = target / average time of a poll, between `least` and `most`. The average is
/// exponential: each interval counts a tenth, whatever its length, so a single interval in which the thread did not run
/// (4 ms, say) does not decide. The interval is in polls, not in time, since counting polls is free and the clock is
/// then read once in N polls. A fixed N would look too seldom while tasks are long.
template <class Clock = steady_nanoseconds>
class tick_interval {
 public:
  /// The options must be valid (`scheduler_options::validate`).
  explicit tick_interval(const interval_options& options) : options_{options} {
    if (adapts()) {
      average_ns_ = static_cast<double>(options_.target_ns) / begins_with;
      since_ = Clock::now();
    }
    begin_interval();
  }

  /// To be called before each poll. Whether it is time to look. A decrement.
  [[nodiscard]] bool due() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }

  /// To be called when `due()` is true. Learns from the interval that ends, and begins the next. Reads the clock once.
  void tick() {
    if (adapts()) {
      const std::uint64_t now = Clock::now();
      learn(now - since_, polls_ - left_);
      since_ = now;
    }
    begin_interval();
  }

  /// To be called after the worker was parked: the time and the polls since the last tick do not count.
  void restart() {
    if (adapts()) since_ = Clock::now();
    begin_interval();
  }

  /// N.
  [[nodiscard]] std::uint32_t polls() const { return polls_; }
  [[nodiscard]] bool adapts() const { return options_.fixed == 0; }

 private:
  static constexpr double weight = 0.1;
  static constexpr double begins_with = 61;  ///< polls a target: what a worker assumes that has not run anything yet

  void learn(std::uint64_t elapsed_ns, std::uint32_t polls) {
    if (polls == 0) return;
    const double mean = static_cast<double>(elapsed_ns) / polls;
    average_ns_ += weight * (mean - average_ns_);
  }
  void begin_interval() {
    polls_ = adapts() ? wished() : options_.fixed;
    left_ = polls_;
  }
  [[nodiscard]] std::uint32_t wished() const {
    const double most = options_.most;
    // An average of 0, of a clock that stands, gives infinity, which is clamped as well.
    const double polls = static_cast<double>(options_.target_ns) / average_ns_;
    return static_cast<std::uint32_t>(std::clamp(polls, static_cast<double>(options_.least), most));
  }

  interval_options options_;
  double average_ns_ = 0;
  std::uint64_t since_ = 0;
  std::uint32_t polls_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace detail

}  // namespace licit::inline v0

#endif
