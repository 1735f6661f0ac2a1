/// How many tasks a busy worker runs between two looks at the inject queue.
#ifndef LICIT_SCHEDULER_INTERVAL_HPP
#define LICIT_SCHEDULER_INTERVAL_HPP

#include <algorithm>
#include <cstdint>

#include <licit/scheduler/clock.hpp>

namespace licit::inline v0 {

struct interval_options {
  std::uint32_t fixed = 0;           ///< this many polls, always, and no clock is read; 0: adapts
  std::uint64_t target_ns = 100000;  ///< time between two looks that is aimed at
  std::uint32_t least = 8;           ///< polls, however long they take
  std::uint32_t most = 255;          ///< polls, however short they are
};

/// One worker's own. N = target / average time of a poll, between `least` and `most`. The average is an exponential
/// one: each interval counts a tenth, whatever its length, so that one interval in which the thread did not run (4 ms,
/// say) does not decide. A look each N polls and not each 100 microseconds: polls are counted for nothing, the clock is
/// read once in N. A fixed N serves a queue of long tasks far too seldom: N of them pass before the next look.
template <class Clock = steady_nanoseconds>
class tick_interval {
 public:
  /// The options are valid ones (`scheduler_options::validate`).
  explicit tick_interval(const interval_options& options) : options_{options} {
    if (adapts()) {
      average_ns_ = static_cast<double>(options_.target_ns) / begins_with;
      since_ = Clock::now();
    }
    begin_interval();
  }

  /// Before each poll: whether it is time to look. Wait-free, a decrement.
  [[nodiscard]] bool due() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }

  /// When `due()` was true: learns from the interval that ends, and begins the next. One reading of the clock.
  void tick() {
    if (adapts()) {
      const std::uint64_t now = Clock::now();
      learn(now - since_, polls_ - left_);
      since_ = now;
    }
    begin_interval();
  }

  /// After the worker has been parked: the time and the polls since the last tick do not count.
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

}  // namespace licit::inline v0

#endif
