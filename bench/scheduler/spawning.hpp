/// Many small tasks, spawned from one place and run by all.
#ifndef LICIT_BENCH_SCHEDULER_SPAWNING_HPP
#define LICIT_BENCH_SCHEDULER_SPAWNING_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"

namespace licit_bench {

inline constexpr std::chrono::microseconds stall_time{10};

inline void stall() {
  const auto end = std::chrono::steady_clock::now() + stall_time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Tasks that run until this is told to stop, and are counted. It outlives the scheduler's shutdown.
class background {
 public:
  /// Coroutines that yield and stall, two for each worker.
  void yielding(licit::scheduler& all) {
    for (std::size_t i = 0; i != 2 * workers; ++i) (void)all.spawn(yield_and_stall(*this));
    tasks_.fetch_add(2 * workers, std::memory_order_relaxed);
  }
  /// Chains of tasks, one for each worker: each stalls, and spawns the next.
  void chained(licit::scheduler& all) {
    for (std::size_t i = 0; i != workers; ++i) link(all);
  }

  void stop() { on_.store(false, std::memory_order_relaxed); }
  /// After the shutdown: how many there were.
  [[nodiscard]] std::uint64_t tasks() const { return tasks_.load(std::memory_order_relaxed); }

 private:
  static licit::task<void> yield_and_stall(background& of) {
    while (of.on_.load(std::memory_order_relaxed)) {
      co_await licit::yield_now();
      stall();
    }
  }
  void link(licit::scheduler& all) {
    tasks_.fetch_add(1, std::memory_order_relaxed);
    all.spawn([this, &all] {
         if (!on_.load(std::memory_order_relaxed)) return;
         stall();
         link(all);
       })
        .detach();
  }

  std::atomic<bool> on_ = true;
  std::atomic<std::uint64_t> tasks_ = 0;
};

inline constexpr std::uint32_t many = 10'000;
inline constexpr std::uint32_t busy_many = 1'000;
inline constexpr std::uint32_t deep = 1'000;

/// From inside block_on, which is not a worker: each goes through the inject queue.
inline void spawn_many_local(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, many, [&](licit::scheduler& all) {
    all_done.begin(many);
    all.block_on([](countdown& left) -> licit::task<void> {
      for (std::uint32_t i = 0; i != many; ++i) licit::spawn([&left] { left.done(); }).detach();
      left.wait();
      co_return;
    }(all_done));
  });
}

/// From a task: each goes to the worker's own queue.
inline void spawn_many_on_worker(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, many + 1, [&](licit::scheduler& all) {
    all_done.begin(many);
    all.spawn([&all_done] {
         for (std::uint32_t i = 0; i != many; ++i) licit::spawn([&all_done] { all_done.done(); }).detach();
       })
        .get();
    all_done.wait();
  });
}

using handles = std::vector<licit::join_handle<void>>;

inline licit::task<void> join_all(handles& of) {
  for (licit::join_handle<void>& one : of) co_await one;
}

/// From a thread that is no worker, then joined.
inline void spawn_and_join(licit::scheduler& all, handles& place, std::uint32_t tasks) {
  for (std::uint32_t i = 0; i != tasks; ++i) place.push_back(all.spawn([] {}));
  all.block_on(join_all(place));
  place.clear();
}

inline void spawn_many_remote_idle(benchmark::State& state, const licit::scheduler_options& options) {
  handles place;
  measure(state, options, many, [&](licit::scheduler& all) { spawn_and_join(all, place, many); });
}

/// While other tasks keep the workers busy.
template <class Begin>
void spawn_many_remote_busy(benchmark::State& state, const licit::scheduler_options& options, std::uint32_t tasks,
                            Begin begin) {
  background others;
  handles place;
  licit::scheduler all(options);
  begin(others, all);
  for (auto _ : state) spawn_and_join(all, place, tasks);
  others.stop();
  count_rounds(state, tasks);
  const licit::shutdown_report report = all.shutdown();
  if (report.finished != tasks * static_cast<std::uint64_t>(state.iterations()) + others.tasks() || report.left != 0) {
    state.SkipWithError("tasks were lost or run twice");
  }
}

inline void spawn_many_remote_busy1(benchmark::State& state, const licit::scheduler_options& options) {
  spawn_many_remote_busy(state, options, many, [](background& others, licit::scheduler& all) { others.yielding(all); });
}

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

/// Each of several threads spawns its share.
inline void remote_spawn(benchmark::State& state, const licit::scheduler_options& options, std::uint32_t threads) {
  countdown all_done;
  measure(state, options, many, [&](licit::scheduler& all) {
    all_done.begin(many);
    std::vector<std::jthread> spawners;
    for (std::uint32_t t = 0; t != threads; ++t) {
      spawners.emplace_back([&all, &all_done, share = many / threads] {
        for (std::uint32_t i = 0; i != share; ++i) all.spawn([&all_done] { all_done.done(); }).detach();
      });
    }
    spawners.clear();
    all_done.wait();
  });
}

inline void spawn_next(countdown& end, std::uint32_t left) {
  if (left == 0) return end.done();
  licit::spawn([&end, left] { spawn_next(end, left - 1); }).detach();
}

/// Each task spawns the next.
inline void chained_spawn(benchmark::State& state, const licit::scheduler_options& options) {
  countdown end;
  measure(state, options, deep + 1, [&](licit::scheduler& all) {
    end.begin(1);
    all.spawn([&end] { spawn_next(end, deep); }).detach();
    end.wait();
  });
}

/// A tree of forks: how many there are, and what it adds up to.
inline constexpr std::uint32_t forks_of = 20;
inline constexpr std::uint32_t forks = 10'945;
inline constexpr std::uint32_t leaves = 6'765;

inline licit::task<std::uint32_t> fork(std::uint32_t n) {
  if (n < 2) co_return n;
  auto other = licit::spawn(fork(n - 1));
  const std::uint32_t here = co_await fork(n - 2);
  co_return here + co_await other;
}

/// The same by joins: no coroutine but the root is a task, since nobody takes one.
inline licit::task<std::uint32_t> fork_by_join(std::uint32_t n) {
  if (n < 2) co_return n;
  const auto [other, here] = co_await licit::join(fork_by_join(n - 1), fork_by_join(n - 2));
  co_return here + other;
}

/// On one worker: what a fork costs. `tasks` is what a tree spawns.
inline void fork_join(benchmark::State& state, licit::scheduler_options options,
                      licit::task<std::uint32_t> (*tree)(std::uint32_t), std::uint64_t tasks) {
  options.workers = 1;
  measure(state, options, tasks, [&](licit::scheduler& all) {
    if (all.spawn(tree(forks_of)).get() != leaves) state.SkipWithError("the sum is another");
  });
  state.counters["tasks"] = forks + 1;
}

}  // namespace licit_bench

#endif
