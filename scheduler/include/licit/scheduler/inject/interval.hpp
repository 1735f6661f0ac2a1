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
  std::uint32_t least = 2;           ///< the fewest polls, however long they take
  std::uint32_t most = 255;          ///< the most polls, however short they are
};

namespace detail {

/// For one worker's thread. A look is due when the target's time has passed and `least` polls have run, after `most`
/// polls, or sooner on request (`soon`).
///
/// The worker reads the clock every few polls, a *stride*. A stride has as many polls as take about 2 us if they are as
/// long as those of the last stride, but at most 8. So the readings cost one to three per cent, and when polls become
/// long the worker knows it within a stride: at once if polls took 2 us or more, after 8 polls at most.
template <class Clock = steady_nanoseconds>
class tick_interval {
 public:
  static constexpr std::uint32_t longest_stride = 8;  ///< polls
  static constexpr std::uint64_t stride_ns = 2000;    ///< aimed at

  /// The options must be valid (`scheduler_options::validate`).
  explicit tick_interval(const interval_options& options) : options_{options} {
    if (adapts()) begun_ = read_ = Clock::now();
    begin_interval();
  }

  /// To be called before each poll. Whether it is time to look; then the next interval begins. Usually a decrement.
  [[nodiscard]] bool due() {
    if (left_ != 0) [[likely]] {
      --left_;
      return false;
    }
    return stride_ends();
  }

  /// The next look is due after so many polls from now. Without effect if it is due sooner, or the interval is fixed.
  void soon(std::uint32_t polls) {
    if (!adapts()) return;
    limit_ = std::min(limit_, planned_ - left_ + polls);
    if (planned_ > limit_) {
      left_ -= planned_ - limit_;
      stride_polls_ -= planned_ - limit_;
      planned_ = limit_;
    }
  }

  /// To be called after the worker was parked: the time and the polls since the last look do not count.
  void restart() {
    if (adapts()) begun_ = read_ = Clock::now();
    begin_interval();
  }

  [[nodiscard]] bool adapts() const { return options_.fixed == 0; }

 private:
  [[gnu::noinline]] bool stride_ends() {
    if (adapts()) {
      const std::uint64_t now = Clock::now();
      learn(now - read_);
      read_ = now;
      if (planned_ < limit_ && (planned_ < options_.least || now - begun_ < options_.target_ns)) {
        plan(stride_);
        --left_;  // the poll that this call precedes
        return false;
      }
      begun_ = now;
    }
    begin_interval();
    return true;
  }

  /// From the time of the stride that ends. A longer one than expected is not averaged with earlier ones.
  void learn(std::uint64_t elapsed_ns) {
    if (stride_polls_ == 0) return;
    const std::uint64_t wished = stride_polls_ * stride_ns / std::max<std::uint64_t>(elapsed_ns, 1);
    stride_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wished, 1, longest_stride));
  }

  void begin_interval() {
    limit_ = adapts() ? options_.most : options_.fixed;
    planned_ = left_ = 0;
    plan(adapts() ? stride_ : limit_);
  }

  void plan(std::uint32_t polls) {
    const std::uint32_t added = std::min(polls, limit_ - planned_);
    planned_ += added;
    left_ += added;
    stride_polls_ = added;
  }

  interval_options options_;
  std::uint64_t begun_ = 0;  ///< when the interval began
  std::uint64_t read_ = 0;   ///< when the stride began
  std::uint32_t stride_ = longest_stride;
  std::uint32_t stride_polls_ = 0;  ///< of this stride
  std::uint32_t planned_ = 0;       ///< polls of this interval up to the end of this stride
  std::uint32_t limit_ = 0;         ///< polls of this interval, however short they are
  std::uint32_t left_ = 0;          ///< polls of this stride still to come
};

}  // namespace detail

}  // namespace licit::inline v0

#endif
