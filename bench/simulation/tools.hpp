/// What the worker loop needs beside memory, under the simulation: the scheduler's own order of victims, patience and
/// interval, over the virtual clock, and counters.
#ifndef LICIT_SIMULATION_TOOLS_HPP
#define LICIT_SIMULATION_TOOLS_HPP

#include <cstddef>
#include <cstdint>

#include <licit/scheduler/idle/patience.hpp>
#include <licit/scheduler/idle/victims.hpp>
#include <licit/scheduler/inject/interval.hpp>
#include <licit/scheduler/metrics/metrics.hpp>

#include "machine.hpp"
#include "memory.hpp"

namespace licit_simulation {

struct virtual_nanoseconds {
  static std::uint64_t now() {
    machine& here = machine::current();
    here.spend(here.prices().clock, expense::pauses);
    return here.now() / 1000;
  }
};

/// What one worker did. Counting costs nothing.
struct tally : licit::no_metrics {
  void search_begins() { ++searches; }
  void steal_tried() { ++tried; }
  void stole(std::size_t /*victim*/, std::uint64_t items) {
    ++steals;
    stolen += items;
  }
  void slot_stolen(std::size_t /*victim*/) { ++slots; }
  void parks() { ++sleeps; }
  void overflowed(std::uint64_t items) { overflows += items; }

  void add(const tally& other) {
    searches += other.searches;
    tried += other.tried;
    steals += other.steals;
    stolen += other.stolen;
    slots += other.slots;
    sleeps += other.sleeps;
    overflows += other.overflows;
    polls += other.polls;
    busy += other.busy;
  }

  std::uint64_t searches = 0, tried = 0, steals = 0, stolen = 0, slots = 0, sleeps = 0, overflows = 0, polls = 0;
  picoseconds busy = 0;  ///< within polls
};

class simulated_tools {
 public:
  simulated_tools(std::size_t self, std::size_t workers, std::uint64_t seed) : others{self, workers, seed} {}

  bool tick() { return interval_.due(); }
  void look_soon(std::size_t polls) { interval_.soon(static_cast<std::uint32_t>(polls)); }
  void caught(std::size_t items) { patience_.caught(items); }
  void before_search() { relax(patience_.due()); }
  static void pause(unsigned round) { relax(1U << (round < 6 ? round : 6)); }
  void going_to_sleep() { patience_.forget(); }
  void awake() { interval_.restart(); }

  tally metrics;
  licit::detail::victims<simulated> others;

 private:
  static void relax(unsigned times) {
    machine::current().spend(times * machine::current().prices().pause, expense::pauses);
  }

  licit::detail::patience patience_;
  licit::detail::tick_interval<virtual_nanoseconds> interval_{licit::interval_options{}};
};

}  // namespace licit_simulation

#endif
