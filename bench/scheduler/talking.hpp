/// Coroutines that go on and on: by yielding, and by waking one another.
#ifndef LICIT_BENCH_SCHEDULER_TALKING_HPP
#define LICIT_BENCH_SCHEDULER_TALKING_HPP

#include <cstdint>

#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/countdown.hpp"
#include "scheduler/measured.hpp"
#include "scheduler/oneshot.hpp"

namespace licit_bench {

inline constexpr std::uint32_t yielders = 200;
inline constexpr std::uint32_t yields = 1'000;
inline constexpr std::uint32_t pairs = 1'000;

inline licit::task<void> yielder(countdown& all_done) {
  for (std::uint32_t i = 0; i != yields; ++i) co_await licit::yield_now();
  all_done.done();
}

/// Spawned from outside; a message each at the end.
inline void yield_many(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, yielders, [&](licit::scheduler& all) {
    all_done.begin(yielders);
    for (std::uint32_t i = 0; i != yielders; ++i) all.spawn(yielder(all_done)).detach();
    all_done.wait();
  });
}

inline licit::task<void> pong(oneshot ping, oneshot back) {
  while (!ping.arrived()) co_await ping.wait();
  back.send();
}

inline licit::task<void> ping(countdown& all_done) {
  const oneshot there;
  const oneshot back;
  licit::spawn(pong(there, back)).detach();
  there.send();
  while (!back.arrived()) co_await back.wait();
  all_done.done();
}

/// A task spawns 1,000 that each spawn a partner, send it a message, and await its answer.
inline void ping_pong(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, 2 * pairs + 1, [&](licit::scheduler& all) {
    all_done.begin(pairs);
    all.spawn([&all_done] {
         for (std::uint32_t i = 0; i != pairs; ++i) licit::spawn(ping(all_done)).detach();
       })
        .detach();
    all_done.wait();
  });
}

}  // namespace licit_bench

#endif
