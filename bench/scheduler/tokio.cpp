// Tokio's multi-thread runtime, by bench/tokio/lib.rs.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"
#include "scheduler/sleeping.hpp"
#include "scheduler/spawning.hpp"
#include "scheduler/talking.hpp"

extern "C" {
struct tokio_runtime;
struct tokio_busy;
tokio_runtime* tokio_make(std::size_t workers);
tokio_runtime* tokio_make_timed(std::size_t workers);
void tokio_free(tokio_runtime* runtime);
std::uint64_t tokio_spawn_many_local(const tokio_runtime* runtime, std::uint64_t tasks);
std::uint64_t tokio_spawn_many_on_worker(const tokio_runtime* runtime, std::uint64_t tasks);
std::uint64_t tokio_spawn_and_join(const tokio_runtime* runtime, std::uint64_t tasks);
std::uint64_t tokio_remote_spawn(const tokio_runtime* runtime, std::uint64_t tasks, std::uint64_t threads);
std::uint64_t tokio_yield_many(const tokio_runtime* runtime, std::uint64_t tasks, std::uint64_t yields);
std::uint64_t tokio_ping_pong(const tokio_runtime* runtime, std::uint64_t pairs);
std::uint64_t tokio_chained_spawn(const tokio_runtime* runtime, std::uint64_t tasks);
std::uint64_t tokio_channel(const tokio_runtime* runtime, std::uint64_t senders, std::uint64_t items,
                            std::uint64_t capacity);
std::uint64_t tokio_set_and_cancel(const tokio_runtime* runtime, std::uint64_t timers);
std::uint64_t tokio_many_sleepers(const tokio_runtime* runtime, std::uint64_t tasks, double* late_us);
std::uint64_t tokio_uncontended_mutex(const tokio_runtime* runtime, std::uint64_t times);
std::uint64_t tokio_wake_up(const tokio_runtime* runtime);
tokio_busy* tokio_busy_yielding(const tokio_runtime* runtime, std::size_t tasks);
void tokio_busy_end(tokio_busy* busy);
bool tokio_can_take();
// Not there if the copy of Tokio that takes several tasks was not built.
struct tokio_taking;
[[gnu::weak]] tokio_taking* tokio_chained(std::size_t workers, std::size_t cap);
[[gnu::weak]] std::uint64_t tokio_chained_spawn_and_join(const tokio_taking* on, std::uint64_t tasks);
[[gnu::weak]] void tokio_chained_end(tokio_taking* on);
}

namespace licit_bench {

namespace {

struct free_runtime {
  void operator()(tokio_runtime* runtime) const { tokio_free(runtime); }
};
using runtime = std::unique_ptr<tokio_runtime, free_runtime>;

/// Rounds, each of which runs so many tasks.
template <class Round>
void rounds(benchmark::State& state, const tokio_runtime* on, std::uint64_t tasks, Round round) {
  for (auto _ : state) {
    if (round(on) != tasks) state.SkipWithError("tasks were lost or run twice");
  }
  count_rounds(state, tasks);
}

/// `items`: what a round's time is divided by, if not by its tasks.
template <class Round>
void add(const std::string& workload, std::uint64_t tasks, Round round, std::uint64_t items = 0) {
  benchmark::RegisterBenchmark((workload + "/tokio").c_str(),
                               [tasks, round, items](benchmark::State& state) {
                                 const runtime all(tokio_make(workers));
                                 rounds(state, all.get(), tasks, round);
                                 if (items != 0) count_items(state, items);
                               })
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

template <class Begin>
void add_busy(const std::string& workload, std::uint64_t tasks, Begin begin) {
  benchmark::RegisterBenchmark((workload + "/tokio").c_str(),
                               [tasks, begin](benchmark::State& state) {
                                 const runtime all(tokio_make(workers));
                                 tokio_busy* const others = begin(all.get());
                                 rounds(state, all.get(), tasks,
                                        [tasks](auto* on) { return tokio_spawn_and_join(on, tasks); });
                                 tokio_busy_end(others);
                               })
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

/// On a copy of Tokio without LIFO slot that looks every 10 polls, which take 100 us: Debian's own (1.24) counts a row
/// of polls from its slot as one, and looks every 61st time; a round takes half a minute. Cap 1 is Tokio's own number
/// of tasks at a look.
void busy2_tokio(benchmark::State& state, std::size_t cap) {
  tokio_taking* const all = tokio_chained(workers, cap);
  std::this_thread::sleep_for(std::chrono::milliseconds{15});  // the chains go on, as in our own busy2
  for (auto _ : state) {
    if (tokio_chained_spawn_and_join(all, busy_many) != busy_many) {
      state.SkipWithError("tasks were lost or run twice");
    }
  }
  count_rounds(state, busy_many);
  tokio_chained_end(all);
}

void set_and_cancel_tokio(benchmark::State& state) {
  const runtime all(tokio_make_timed(workers));
  for (auto _ : state) {
    if (tokio_set_and_cancel(all.get(), timeouts) != 1) state.SkipWithError("the task was lost");
  }
  count_rounds(state, 1);
  count_items(state, timeouts);
}

void many_sleepers_tokio(benchmark::State& state) {
  const runtime all(tokio_make_timed(workers));
  std::vector<double> late(sleepers);
  rounds(state, all.get(), sleepers, [&](auto* on) { return tokio_many_sleepers(on, sleepers, late.data()); });
  report_lateness(state, late);
}

void wake_up_tokio(benchmark::State& state) {
  const runtime all(tokio_make(workers));
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds{300});
    state.SetIterationTime(1e-9 * static_cast<double>(tokio_wake_up(all.get())));
  }
  count_rounds(state, 1);
}

void idle_tokio(benchmark::State& state) {
  const runtime all(tokio_make(workers));
  const std::string name = "tokio-runtime-w";  // as much as the kernel keeps
  thread_counters sum;
  for (auto _ : state) {
    (void)tokio_spawn_and_join(all.get(), workers);
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const thread_counters before = thread_counters::of_threads_named(name);
    std::this_thread::sleep_for(std::chrono::seconds{1});
    const thread_counters after = thread_counters::of_threads_named(name);
    if (after.threads != workers) state.SkipWithError("/proc/self/task does not show the workers");
    sum += after - before;
  }
  report_switches(state, sum);
}

[[maybe_unused]] const bool added = [] {
  add("spawn_many_local", many, [](auto* on) { return tokio_spawn_many_local(on, many); });
  add("spawn_many_on_worker", many, [](auto* on) { return tokio_spawn_many_on_worker(on, many); });
  add("spawn_many_remote_idle", many, [](auto* on) { return tokio_spawn_and_join(on, many); });
  add("ping_pong", 2 * pairs + 1, [](auto* on) { return 2 * tokio_ping_pong(on, pairs) + 1; });
  add("yield_many", yielders, [](auto* on) { return tokio_yield_many(on, yielders, yields); });
  add("chained_spawn", deep, [](auto* on) { return tokio_chained_spawn(on, deep); });
  for (const std::uint64_t threads : {1U, 2U, 4U, 8U}) {
    add("remote_spawn_" + std::to_string(threads), many,
        [threads](auto* on) { return tokio_remote_spawn(on, many, threads); });
  }
  for (const std::uint64_t senders : {1U, 4U}) {
    add(
        "channel_" + std::to_string(senders), items_sent,
        [senders](auto* on) { return tokio_channel(on, senders, items_sent, channel_capacity); }, items_sent);
  }
  add("uncontended_mutex", 1, [](auto* on) { return tokio_uncontended_mutex(on, locks); }, locks);
  add_busy("spawn_many_remote_busy1", many, [](auto* on) { return tokio_busy_yielding(on, 2 * workers); });
  for (const std::size_t cap : {1U, 32U}) {
    if (!tokio_can_take()) break;
    benchmark::RegisterBenchmark(("busy2_" + std::to_string(cap) + "/tokio").c_str(),
                                 [cap](benchmark::State& state) { busy2_tokio(state, cap); })
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
  benchmark::RegisterBenchmark("set_and_cancel/tokio", set_and_cancel_tokio)->MeasureProcessCPUTime()->UseRealTime();
  benchmark::RegisterBenchmark("many_sleepers/tokio", many_sleepers_tokio)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Iterations(1);
  benchmark::RegisterBenchmark("wake_up/tokio", wake_up_tokio)->UseManualTime();
  benchmark::RegisterBenchmark("idle/tokio", idle_tokio)->MeasureProcessCPUTime()->UseRealTime()->Iterations(1);
  return true;
}();

}  // namespace

}  // namespace licit_bench
