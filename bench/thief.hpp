/// Thieves. The time is that of the thread in question on its processor, so that a busy machine adds less noise.
#ifndef LICIT_BENCH_THIEF_HPP
#define LICIT_BENCH_THIEF_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <thread>

#include <benchmark/benchmark.h>

#include "opaque.hpp"
#include "owner.hpp"

namespace licit_bench {

/// The owner's operations while a thief never stops trying: batches of 64 pushes, then pops until nothing is left.
/// `stolen` is the share of the items that the thief got.
template <class Deque>
void owner_with_thief(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  void* item = some_item();
  std::atomic<bool> ready{false};
  std::atomic<bool> done{false};
  std::uint64_t stolen = 0;
  std::thread thief([&] {
    std::uint64_t got = 0;
    ready.store(true, std::memory_order_relaxed);
    while (!done.load(std::memory_order_relaxed)) got += deque.steal() != nullptr ? 1 : 0;
    stolen = got;
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  std::uint64_t empty = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i != small; ++i) deque.push(item);
    pushed += small;
    while (deque.pop() != nullptr) ++popped;
    ++empty;
  }
  done.store(true, std::memory_order_relaxed);
  thief.join();
  while (deque.pop() != nullptr) ++popped;
  if (popped + stolen != pushed) state.SkipWithError("items were lost or taken twice");
  count(state, static_cast<double>(pushed + popped + empty));
  state.counters["stolen"] = static_cast<double>(stolen) / static_cast<double>(pushed);
}

inline double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Deque>
void fill(Deque& deque) {
  void* item = some_item();
  for (std::size_t i = 0; i != batch; ++i) deque.push(item);
}

/// Seconds that it takes to steal a batch.
template <class Deque>
double drain(Deque& deque) {
  const double start = thread_seconds();
  for (std::size_t left = batch; left != 0;) left -= deque.steal() != nullptr ? 1 : 0;
  return thread_seconds() - start;
}

/// Steals on the thread that pushed: what the instructions cost, with every line at hand.
template <class Deque>
void steal_near(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  for (auto _ : state) {
    fill(deque);
    state.SetIterationTime(drain(deque));
  }
  count(state, batch * runs(state));
}

/// Steals of what another thread pushed: with the lines in that thread's cache.
template <class Deque>
void steal_across(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  enum class turn : int { thief, owner, nobody };
  std::atomic<turn> whose{turn::thief};
  std::thread owner([&] {
    for (turn t = turn::thief; t != turn::nobody; t = whose.load(std::memory_order_acquire)) {
      if (t == turn::owner) {
        fill(deque);
        whose.store(turn::thief, std::memory_order_release);
      } else {
        std::this_thread::yield();
      }
    }
  });
  for (auto _ : state) {
    whose.store(turn::owner, std::memory_order_release);
    while (whose.load(std::memory_order_acquire) != turn::thief) std::this_thread::yield();
    state.SetIterationTime(drain(deque));
  }
  whose.store(turn::nobody, std::memory_order_release);
  owner.join();
  count(state, batch * runs(state));
}

}  // namespace licit_bench

#endif
