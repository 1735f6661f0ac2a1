/// Tasks from outside while chains of others keep the workers busy, by the most that a worker takes at once.
#ifndef LICIT_BENCH_SCHEDULER_BUSY2_HPP
#define LICIT_BENCH_SCHEDULER_BUSY2_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/background.hpp"
#include "scheduler/measured.hpp"
#include "scheduler/sleeping.hpp"
#include "scheduler/spawning.hpp"

namespace licit_bench {

/// Seconds between two looks of a busy worker at the inject queue, from what is measured without it: the time of a poll
/// of the chains, and the interval that this makes.
inline double seconds_between_looks(const licit::scheduler& all, const licit::scheduler_options& options) {
  using namespace std::chrono_literals;
  std::this_thread::sleep_for(5ms);
  const std::uint64_t polls = all.metrics().total().counts.polls;
  const auto before = bench_clock::now();
  std::this_thread::sleep_for(10ms);
  const double time = seconds(bench_clock::now() - before);
  const double poll = workers * time / static_cast<double>(all.metrics().total().counts.polls - polls);
  const double target = 1e-9 * static_cast<double>(options.interval.target_ns);
  return poll * std::clamp(target / poll, static_cast<double>(options.interval.least),
                           static_cast<double>(options.interval.most));
}

/// Beside the time, what the law of the service rate says: tasks * seconds between looks / (workers * batch).
inline void spawn_many_remote_busy2(benchmark::State& state, const licit::scheduler_options& options) {
  double looks = 0;
  spawn_many_remote_busy(state, options, busy_many, [&](background& others, licit::scheduler& all) {
    others.chained(all);
    looks = seconds_between_looks(all, options);
  });
  state.counters["between_looks"] = looks;
  state.counters["law"] = busy_many * looks / (workers * static_cast<double>(options.inject_batch));
}

}  // namespace licit_bench

#endif
