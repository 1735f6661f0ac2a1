/// What a worker of the scheduler has beside memory: whom to steal from and how soon again, a clock for
/// the inject queue, metrics.
#ifndef LICIT_SCHEDULER_WORKER_TOOLS_HPP
#define LICIT_SCHEDULER_WORKER_TOOLS_HPP

#include <cstddef>

#include <licit/scheduler/census.hpp>
#include <licit/scheduler/inject/interval.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/idle/victims.hpp>

namespace licit::inline v0 {

class worker_tools {
 public:
  worker_tools(std::size_t self, std::size_t workers, const interval_options& interval, const metrics_options& measured,
               census<>& all)
      : metrics{measured}, others{self, workers}, interval_{interval}, census_{all} {}

  /// Before each poll: whether the inject queue is due.
  bool tick() {
    if (!interval_.due()) [[likely]]
      return false;
    interval_.tick();
    return true;
  }

  /// So many items were stolen.
  void caught(std::size_t items) { patience_.caught(items); }

  /// Some microseconds at most, and only after a theft of little.
  void before_search() { relax(patience_.due()); }

  /// Between two rounds of searching: longer each time.
  static void pause(unsigned round) { relax(1U << (round < 6 ? round : 6)); }

  void going_to_sleep() {
    patience_.forget();
    census_.tell();
    metrics.parks();
  }
  void awake() {
    metrics.wakes();
    interval_.restart();
  }

  worker_metrics<> metrics;
  victims<> others;

 private:
  static void relax(unsigned times) {
    for (; times != 0; --times) relax();
  }

  /// Tells the processor that this is a wait.
  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    asm volatile("pause" ::: "memory");
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#else
    asm volatile("" ::: "memory");
#endif
  }

  patience patience_;
  tick_interval<> interval_;
  census<>& census_;
};

}  // namespace licit::inline v0

#endif
