// oneTBB's task_group: of the workloads, those that it has a form for. A thread that waits for a group works.
#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "scheduler/measured.hpp"
#include "scheduler/spawning.hpp"

namespace licit_bench {

namespace {

/// As many threads as the others have workers, all of them TBB's: the arena has no place for the caller.
class arena {
 public:
  template <class Round>
  void measure(benchmark::State& state, std::uint32_t tasks, Round round) {
    countdown all_done;
    countdown waited;  // the group's wait has ended, and nobody is in it
    for (auto _ : state) {
      all_done.begin(tasks);
      waited.begin(1);
      workers_.enqueue([&] {
        round(group_, all_done);
        group_.wait();
        waited.done();
      });
      all_done.wait();
      waited.wait();
    }
    count_rounds(state, tasks);
  }

 private:
  tbb::global_control threads_{tbb::global_control::max_allowed_parallelism, workers + 1};
  tbb::task_arena workers_{static_cast<int>(workers), 0};
  tbb::task_group group_;
};

void spawn_many(benchmark::State& state) {
  arena all;
  all.measure(state, many, [](tbb::task_group& group, countdown& left) {
    for (std::uint32_t i = 0; i != many; ++i) group.run([&left] { left.done(); });
  });
}

void spawn_next(tbb::task_group& group, countdown& left, std::uint32_t more) {
  left.done();
  if (more != 0) group.run([&group, &left, more] { spawn_next(group, left, more - 1); });
}

void chain(benchmark::State& state) {
  arena all;
  all.measure(state, deep + 1, [](tbb::task_group& group, countdown& left) { spawn_next(group, left, deep); });
}

std::uint32_t fork_by_invoke(std::uint32_t n) {
  if (n < 2) return n;
  std::uint32_t other = 0;
  std::uint32_t here = 0;
  tbb::parallel_invoke([&] { other = fork_by_invoke(n - 1); }, [&] { here = fork_by_invoke(n - 2); });
  return here + other;
}

/// In the caller's thread, which is the arena's only one.
void fork_join_by_invoke(benchmark::State& state) {
  tbb::task_arena one(1);
  for (auto _ : state) {
    if (one.execute([] { return fork_by_invoke(forks_of); }) != leaves) state.SkipWithError("the sum is another");
  }
  count_rounds(state, forks + 1);
}

[[maybe_unused]] const bool added = [] {
  benchmark::RegisterBenchmark("spawn_many_on_worker/tbb", spawn_many)->MeasureProcessCPUTime()->UseRealTime();
  benchmark::RegisterBenchmark("chained_spawn/tbb", chain)->MeasureProcessCPUTime()->UseRealTime();
  benchmark::RegisterBenchmark("fork_join/tbb", fork_join_by_invoke)->MeasureProcessCPUTime()->UseRealTime();
  return true;
}();

}  // namespace

}  // namespace licit_bench
