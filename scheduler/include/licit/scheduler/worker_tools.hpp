/// A worker's tools other than memory: the order of its victims, its patience, the clock for the inject queue, metrics.
#ifndef LICIT_SCHEDULER_WORKER_TOOLS_HPP
#define LICIT_SCHEDULER_WORKER_TOOLS_HPP

#include <cstddef>
#include <cstdint>

#include <licit/scheduler/census.hpp>
#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/idle/victims.hpp>
#include <licit/scheduler/inject/interval.hpp>
#include <licit/scheduler/metrics/metrics.hpp>

namespace licit::inline v0::detail {

class worker_tools {
 public:
  /// All workers may have the same seed.
  worker_tools(std::size_t self, std::size_t workers, std::uint64_t seed, const interval_options& interval,
               const metrics_options& measured, census<>& all)
      : metrics{measured}, others{self, workers, seed}, interval_{interval}, census_{all} {}

  /// To be called before each poll. Whether the inject queue is due.
  bool tick() { return interval_.due(); }

  /// To be called when items probably wait in the inject queue: the next look is due after so many polls, or sooner.
  void look_soon(std::size_t polls) { interval_.soon(static_cast<std::uint32_t>(polls)); }

  /// To be called after a theft, with its number of items.
  void caught(std::size_t items) { patience_.caught(items); }

  /// Pauses for a few microseconds at most, and only after a small theft.
  void before_search() { relax(patience_.due()); }

  /// Pauses between two rounds of searching, longer each time.
  static void pause(unsigned round) { relax(1U << (round < 6 ? round : 6)); }

  void going_to_sleep() {
    patience_.forget();
    census_.tell();
  }
  void awake() {
    metrics.wakes();
    interval_.restart();
  }

  worker_metrics<> metrics;
  victims<> others;

 private:
  patience patience_;
  tick_interval<> interval_;
  census<>& census_;
};

}  // namespace licit::inline v0::detail

#endif
