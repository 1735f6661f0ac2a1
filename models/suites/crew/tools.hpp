/// What the crew's programs give a worker beside memory.
#ifndef LICIT_SUITES_CREW_TOOLS_HPP
#define LICIT_SUITES_CREW_TOOLS_HPP

#include <cstddef>
#include <functional>

#include <licit/scheduler/idle/victims.hpp>
#include <licit/scheduler/metrics/metrics.hpp>

#include "suites/altered.hpp"

namespace licit::suites {

using licit::detail::victims;
using licit::detail::victims_rules;

/// What a worker tells a watchdog: that it is out of the idle set.
struct watched : no_metrics {
  std::function<void()> out_of_set{};

  void wakes() const { retracts(); }
  void retracts() const {
    if (out_of_set) out_of_set();
  }
};

/// What a worker needs beside memory, without chance and without a clock.
class crew_tools {
 public:
  crew_tools(std::size_t self, std::size_t workers, unsigned interval) : others{self, workers}, interval_{interval} {}

  bool tick() { return ++polls_ % interval_ == 0; }
  static void look_soon(std::size_t /*polls*/) {}
  static void caught(std::size_t /*items*/) {}
  static void before_search() {}
  static void pause(unsigned /*round*/) {}
  static void going_to_sleep() {}
  void awake() const { metrics.wakes(); }

  struct no_policy {};
  watched metrics;
  victims<with_rules<no_policy, victims_rules{.at_random = false}>> others;

 private:
  unsigned interval_;
  unsigned polls_ = 0;
};

}  // namespace licit::suites

#endif
