/// The timers of a scheduler on its clock, and where the holder of its driver sleeps.
#ifndef LICIT_SCHEDULER_TIMEKEEPER_HPP
#define LICIT_SCHEDULER_TIMEKEEPER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <licit/scheduler/task/task_header.hpp>
#include <licit/scheduler/time/manual_clock.hpp>
#include <licit/scheduler/time/reactor.hpp>
#include <licit/scheduler/time/timers.hpp>

namespace licit::inline v0::detail {

class timekeeper {
 public:
  using clock = std::chrono::steady_clock;
  using time_point = clock::time_point;
  using tick_length = std::chrono::milliseconds;

  /// `by`: null: the steady clock. `outside`: null: there is no reactor. `sleep(worker)` is that worker's parker.
  template <class Sleep>
  timekeeper(idle_set<>& idle, std::size_t workers, Sleep&& sleep, const manual_clock* by, reactor* outside)
      : by_{by}, outside_{outside}, timers_(idle, workers, sleep, outside != nullptr) {
    for (std::size_t i = 0; outside != nullptr && i != workers; ++i) {
      sleep(i).interrupted_by({[](void* it) noexcept { static_cast<reactor*>(it)->interrupt(); }, outside});
    }
  }

  [[nodiscard]] licit::timers<>& timers() { return timers_; }
  [[nodiscard]] const licit::timers<>& timers() const { return timers_; }

  /// Any thread. The time, by the scheduler's clock.
  [[nodiscard]] time_point now() const noexcept { return by_ != nullptr ? by_->now() : clock::now(); }
  [[nodiscard]] bool is_by(const manual_clock& clock) const noexcept { return by_ == &clock; }
  /// The first tick that is not before the time, so that no timer fires early. Up to the end of the clock.
  [[nodiscard]] timer_tick tick_of(time_point when) const noexcept {
    if (when <= begun_) return 0;
    if (when == time_point::max()) return timer_wheel<>::last;  // never, whatever a manual clock begins with
    const auto since = static_cast<std::uint64_t>((when - begun_).count());
    return (since + (ns_of_tick - 1)) / ns_of_tick;  // no overflow: a time_point has half of the range
  }
  [[nodiscard]] time_point time_of(timer_tick tick) const noexcept {
    const auto most = static_cast<std::uint64_t>((time_point::max() - begun_).count());
    return tick > most / ns_of_tick ? time_point::max() : begun_ + tick_length(tick);
  }

  // --- for workers and for a manual clock

  /// Fires what is due. How many.
  std::size_t fire(std::size_t self) { return timers_.fire(self, this_tick()); }
  /// Whether something is due, so that a worker fires it. A manual clock fires by itself.
  [[nodiscard]] bool due() const { return by_ == nullptr && is_over(timers_.earliest()); }
  /// The same, and nobody is about to: a sleeping holder has had a whole tick, or there is none.
  [[nodiscard]] bool is_late() const {
    const timer_tick earliest = timers_.earliest();
    if (earliest == driver<>::never || by_ != nullptr) return false;
    const timer_tick now = this_tick();
    return earliest < now || (earliest == now && timers_.holder() == driver<>::nobody);
  }
  /// The holder. Sleeps until the earliest deadline.
  void sleep(parker<>& own) {
    const timer_tick until = timers_.earliest();
    const bool limited = until != driver<>::never && by_ == nullptr;
    if (outside_ != nullptr) {
      (void)own.park_outside([&] { outside_->wait(limited ? std::optional(time_of(until)) : std::nullopt); });
    } else if (!limited) {
      own.park();
    } else if (const auto left = time_of(until) - clock::now(); left.count() > 0) {
      (void)own.park_for(left);
    }
  }
  void poll() { (void)outside_->poll(); }

 private:
  static constexpr std::uint64_t ns_of_tick = std::chrono::nanoseconds(tick_length(1)).count();
  static_assert(std::is_same_v<clock::duration, std::chrono::nanoseconds>);

  [[nodiscard]] timer_tick this_tick() const noexcept {
    return static_cast<std::uint64_t>((now() - begun_).count()) / ns_of_tick;
  }
  [[nodiscard]] bool is_over(timer_tick tick) const { return tick != driver<>::never && tick <= this_tick(); }

  const manual_clock* const by_;
  reactor* const outside_;
  const time_point begun_ = now();
  licit::timers<> timers_;
};

}  // namespace licit::inline v0::detail

#endif
