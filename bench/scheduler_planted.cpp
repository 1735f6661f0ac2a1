// Benchmarks that lie, each of which must be refused: what the checks of licit_scheduler_bench are seen to fail by.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <pthread.h>
#include <thread>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"
#include "scheduler/sleeping.hpp"
#include "scheduler/spawning.hpp"

namespace licit_bench {

namespace {

licit::scheduler_options two_workers() {
  licit::scheduler_options options;
  options.workers = workers;
  return options;
}

/// Spawns a task less than it says.
void one_less(benchmark::State& state) {
  handles place;
  measure(state, two_workers(), many, [&](licit::scheduler& all) { spawn_and_join(all, place, many - 1); });
}

/// One of the workers is woken by a signal, once in a while, and goes to sleep again.
void restless(benchmark::State& state) {
  std::signal(SIGUSR1, [](int) {});
  std::atomic<pthread_t> woken = pthread_self();
  licit::scheduler_options options = two_workers();
  options.on_thread_start = [&woken](std::size_t worker) {
    if (worker == 0) woken = pthread_self();
  };
  std::jthread waker;
  options.on_thread_stop = [&waker](std::size_t worker) {
    if (worker == 0) waker = {};  // asks it to stop, and waits for that: nobody signals a thread that is gone
  };
  waker = std::jthread([&woken](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
      pthread_kill(woken, SIGUSR1);
    }
  });
  idle(state, options);
}

}  // namespace

}  // namespace licit_bench

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("planted/one_less", licit_bench::one_less)->UseRealTime()->Iterations(1);
  benchmark::RegisterBenchmark("planted/restless", licit_bench::restless)->UseRealTime()->Iterations(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
