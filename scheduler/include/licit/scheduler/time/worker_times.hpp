/// How a worker's loop waits for deadlines and for the outside world.
#ifndef LICIT_SCHEDULER_WORKER_TIMES_HPP
#define LICIT_SCHEDULER_WORKER_TIMES_HPP

#include <cstddef>
#include <utility>

namespace licit::inline v0::detail {

/// There are neither.
struct no_times {
  static constexpr bool some = false;
  template <class Parker, class Metrics>
  static void rest(Parker& own, Metrics& /*counts*/) {
    own.park();
  }
  static bool due() { return false; }
  template <class Metrics>
  static void awake(Metrics& /*counts*/) {}
  template <class Metrics>
  static void look(Metrics& /*counts*/) {}
  template <class Metrics>
  static void before_run(Metrics& /*counts*/) {}
};

/// For one worker's thread. Keeper is timekeeper.hpp's, or a checker's: it has the timers, a clock, and where the
/// holder of the driver sleeps.
template <class Keeper>
class worker_times {
 public:
  static constexpr bool some = true;

  /// `all` outlives it.
  worker_times(Keeper& all, std::size_t self) : all_{&all}, self_{self} {}

  /// In the idle set. Sleeps until it is woken; with the driver also until the earliest deadline, or until the reactor
  /// had something. May return for no reason.
  template <class Parker, class Metrics>
  void rest(Parker& own, Metrics& counts) {
    if (!holds_) {
      holds_ = all_->timers().take(self_);
      if (holds_) counts.driver_changes(true);
    }
    if (!holds_) return own.park();
    all_->sleep(own);
    counts.driver_woke(due());
  }
  /// Whether it holds the driver and a timer is due.
  [[nodiscard]] bool due() const { return holds_ && all_->due(); }
  /// Not in the idle set any more, and counted as searching.
  template <class Metrics>
  void awake(Metrics& counts) {
    if (due()) counts.timers_fired(all_->fire(self_));
  }
  /// Before it runs something, after it was asleep or searched. Gives the driver away.
  template <class Metrics>
  void before_run(Metrics& counts) {
    if (std::exchange(holds_, false)) {
      counts.driver_changes(false);
      all_->timers().give();
    } else {
      all_->timers().pass_on();
    }
  }
  /// Between two runs, now and then. Fires what a sleeping holder is late for, or what nobody waits for; polls the
  /// reactor if nobody holds it.
  template <class Metrics>
  void look(Metrics& counts) {
    if (all_->is_late()) counts.timers_fired(all_->fire(self_));
    if (!all_->timers().reacts() || !all_->timers().take_awake(self_)) return;
    counts.driver_changes(true);
    all_->poll();
    counts.driver_changes(false);
    all_->timers().give();
  }

 private:
  Keeper* all_;
  std::size_t self_;
  bool holds_ = false;
};

}  // namespace licit::inline v0::detail

#endif
