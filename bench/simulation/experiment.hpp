/// The programs and strategies of bench/simulation.md by name, and one run.
#ifndef LICIT_SIMULATION_EXPERIMENT_HPP
#define LICIT_SIMULATION_EXPERIMENT_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include <licit/scheduler/local_queue.hpp>

#include "central_queue.hpp"
#include "programs.hpp"
#include "strategies.hpp"

namespace licit_simulation {

struct strategy {
  const char* name;
  way how;
  outcome (*run)(const program&, const setting&, way, const arrivals&);
};

template <template <class, class> class Local, class Policy = simulated>
outcome by_loop(const program& p, const setting& s, way how, const arrivals& service) {
  return loop_run<Local, Policy>(p, s, how, service).run();
}
inline outcome by_central_queue(const program& p, const setting& s, way /*how*/, const arrivals& service) {
  return central_run(p, s, service).run();
}

using licit::detail::in_order;
using licit::detail::youngest_first;

/// `one-by-one`: as `lifo`, by the rules for few workers. `join-full`: as `join`, where the kernel has no membarrier.
/// `join-anything`: as `join-full`, but who waits runs any job.
inline constexpr strategy strategies[] = {{"lifo", way::steals, &by_loop<youngest_first>},
                                          {"fifo", way::steals, &by_loop<in_order>},
                                          {"join", way::joins, &by_loop<youngest_first>},
                                          {"join-full", way::joins, &by_loop<youngest_first, simulated_full_fences>},
                                          {"join-anything", way::joins, &by_loop<youngest_first, simulated_anything>},
                                          {"one-by-one", way::steals, &by_loop<youngest_first, simulated_one_by_one>},
                                          {"steal-one", way::steals_one, &by_loop<youngest_first>},
                                          {"split", way::split, &by_loop<youngest_first>},
                                          {"sharing", way::shares, &by_loop<youngest_first>},
                                          {"central", way::central_queue, &by_central_queue}};

inline std::vector<program> programs(bool small) {
  std::vector<program> all = tree_programs(small);
  all.push_back(rod());
  all.push_back(request());
  return all;
}

/// 32 requests a worker, at least 2,048, from one thread for 32 workers.
inline arrivals arrivals_for(const program& p, std::size_t workers) {
  if (p.name != "service") return {};
  return {.requests = std::max<std::size_t>(2048, 32 * workers), .threads = (workers + 31) / 32};
}

/// Throws deadlock.
inline outcome run(const program& p, const strategy& how, const setting& s) {
  const arrivals service = arrivals_for(p, s.workers);
  return how.run(p, s, how.how, service);
}

/// What a task costs beyond the accesses that are simulated: what was measured for a chain of tasks less what the
/// simulation makes of the same chain. Allocation, the header's own words, calls.
inline picoseconds own_cost_of_task(const costs& prices) {
  constexpr std::uint64_t links = 50'000;  // the wake-up at the beginning does not count
  const program chain{"chain", {links}, [](const part& p) {
                        if (p.size == 0) return step{};
                        return step{.forks = 1, .parts = {part{p.size - 1}}};
                      }};
  setting alone{.prices = prices};
  const outcome o = loop_run<in_order>(chain, alone, way::steals).run();
  const picoseconds each = o.time / links;
  return prices.task > each ? prices.task - each : 0;
}

}  // namespace licit_simulation

#endif
