/// What every benchmark of the scheduler does around its workload: time it, wait for its end, and check that all its
/// tasks ran.
#ifndef LICIT_BENCH_SCHEDULER_MEASURED_HPP
#define LICIT_BENCH_SCHEDULER_MEASURED_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

namespace licit_bench {

using bench_clock = std::chrono::steady_clock;

inline double seconds(bench_clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// A thread that waits until so many things have been done: what Tokio's benchmarks use a counter and a channel for.
/// Used again and again by one waiter. Sleeps on a futex, woken once, by the last.
class countdown {
 public:
  void begin(std::uint32_t number) {
    left_.store(number, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }
  void done() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    done_.store(1, std::memory_order_release);
    done_.notify_one();
  }
  void wait() const { done_.wait(0, std::memory_order_acquire); }

 private:
  alignas(128) std::atomic<std::uint32_t> left_ = 0;
  alignas(128) std::atomic<std::uint32_t> done_ = 0;
};

inline constexpr std::size_t workers = 2;

/// `op` is the seconds of one round, on the wall: what runs is in other threads. `tasks` is what a round spawns.
inline void count_rounds(benchmark::State& state, std::uint64_t tasks) {
  state.counters["op"] = benchmark::Counter(static_cast<double>(state.iterations()),
                                            benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["tasks"] = static_cast<double>(tasks);
}

/// A round does something so many times, and that is what its time is divided by.
inline void count_items(benchmark::State& state, std::uint64_t items) {
  state.counters["items"] = static_cast<double>(items);
}

/// The scheduler ends, and must have run as many tasks as were spawned, each to its end.
inline void check_all_ran(benchmark::State& state, licit::scheduler& all, std::uint64_t spawned) {
  const licit::shutdown_report report = all.shutdown();
  if (report.finished != spawned || report.cancelled != 0 || report.left != 0) {
    state.SkipWithError("tasks were lost or run twice");
  }
}

/// Rounds of a workload, each of which spawns `tasks` and waits until they have done what they are for.
template <class Round>
void measure(benchmark::State& state, const licit::scheduler_options& options, std::uint64_t tasks, Round round) {
  licit::scheduler all(options);
  round(all);  // queues, frames and thread-local memory are there then
  for (auto _ : state) round(all);
  count_rounds(state, tasks);
  check_all_ran(state, all, tasks * (static_cast<std::uint64_t>(state.iterations()) + 1));
}

}  // namespace licit_bench

#endif
