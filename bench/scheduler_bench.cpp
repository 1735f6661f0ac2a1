// licit_scheduler_bench: the workloads of Tokio's multi-thread benchmarks, and some more, with both kinds of local
// queue; peers where they are installed. Every benchmark is called workload/runtime.
#include <cstdint>
#include <string>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"
#include "scheduler/sleeping.hpp"
#include "scheduler/spawning.hpp"
#include "scheduler/talking.hpp"

namespace licit_bench {

namespace {

licit::scheduler_options made_of(licit::local_order order) {
  licit::scheduler_options options;
  options.workers = workers;
  options.order = order;
  return options;
}

struct kind {
  const char* name;
  licit::scheduler_options options;
};

const kind kinds[] = {
    {"fifo", made_of(licit::local_order::fifo)},
    {"lifo", made_of(licit::local_order::lifo)},
};

/// Timed by itself, or as real time: what runs is in other threads.
template <class Run>
benchmark::internal::Benchmark* add_untimed(const std::string& workload, const kind& of, Run run) {
  const auto with_options = [run, options = of.options](benchmark::State& state) { run(state, options); };
  return benchmark::RegisterBenchmark((workload + "/" + of.name).c_str(), with_options)->MeasureProcessCPUTime();
}
template <class Run>
void add(const std::string& workload, const kind& of, Run run) {
  add_untimed(workload, of, run)->UseRealTime();
}

void add_forks(const kind& of, licit::task<std::uint32_t> (*tree)(std::uint32_t), std::uint64_t tasks) {
  add("fork_join", of, [tree, tasks](benchmark::State& state, const licit::scheduler_options& options) {
    fork_join(state, options, tree, tasks);
  });
}

void add_workloads(const kind& of) {
  add("spawn_many_local", of, spawn_many_local);
  add("spawn_many_on_worker", of, spawn_many_on_worker);
  add("spawn_many_remote_idle", of, spawn_many_remote_idle);
  add("spawn_many_remote_busy1", of, spawn_many_remote_busy1);
  add("ping_pong", of, ping_pong);
  add("yield_many", of, yield_many);
  add("chained_spawn", of, chained_spawn);
  add_forks(of, fork, forks + 1);
  const std::string by_join = std::string(of.name) + "-join";
  add_forks({by_join.c_str(), of.options}, fork_by_join, 1);
  for (const std::uint32_t threads : {1U, 2U, 4U, 8U}) {
    add("remote_spawn_" + std::to_string(threads), of,
        [threads](benchmark::State& state, const licit::scheduler_options& options) {
          remote_spawn(state, options, threads);
        });
  }
  for (const std::size_t batch : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    kind with_batch = of;
    with_batch.options.inject_batch = batch;
    add("busy2_" + std::to_string(batch), with_batch, spawn_many_remote_busy2);
  }
  for (const std::uint32_t senders : {1U, 4U}) {
    add("channel_" + std::to_string(senders), of,
        [senders](benchmark::State& state, const licit::scheduler_options& options) {
          channel(state, options, senders);
        });
  }
  add("uncontended_mutex", of, uncontended_mutex);
  add("set_and_cancel", of, set_and_cancel);
  add_untimed("many_sleepers", of, many_sleepers)->UseRealTime()->Iterations(1);
  add_untimed("sleep_beside_long_poll", of, sleep_beside_long_poll)->UseRealTime()->Iterations(2);
  add_untimed("wake_up", of, wake_up)->UseManualTime();
  add_untimed("idle", of, idle)->UseRealTime()->Iterations(1);
  add_untimed("idle_with_timers", of, idle_with_timers)->UseRealTime()->Iterations(1);
}

}  // namespace

}  // namespace licit_bench

int main(int argc, char** argv) {
  for (const licit_bench::kind& each : licit_bench::kinds) licit_bench::add_workloads(each);
  benchmark::RegisterBenchmark("wake_up/bare-futex", licit_bench::wake_up_bare)->UseManualTime();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
