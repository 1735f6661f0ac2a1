/// The owner alone. Every benchmark's counter `op` is the time of one operation (a push or a pop).
#ifndef LICIT_BENCH_OWNER_HPP
#define LICIT_BENCH_OWNER_HPP

#include <cstddef>

#include <benchmark/benchmark.h>

#include "opaque.hpp"

namespace licit_bench {

inline constexpr std::size_t batch = 1024;
inline constexpr std::size_t roomy = 2048;  ///< a capacity at which a batch does not grow the structure
inline constexpr std::size_t small = 64;    ///< crossbeam's first capacity, which cannot be chosen
inline constexpr std::size_t grown = 4096;

inline void count(benchmark::State& state, double operations) {
  state.counters["op"] = benchmark::Counter(operations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

inline double runs(const benchmark::State& state) { return static_cast<double>(state.iterations()); }

inline void* some_item() {
  static int item = 0;
  return &opaque(item);
}

/// One push, one pop, with other items below: a worker that spawns a task and runs it.
template <class Deque>
void push_pop(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  void* item = some_item();
  for (std::size_t i = 0; i != small; ++i) deque.push(item);
  for (auto _ : state) {
    deque.push(item);
    forget();
    use(deque.pop());
  }
  count(state, 2 * runs(state));
}

/// The same with nothing below: the item is the last one, which thieves might claim.
template <class Deque>
void push_pop_last(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  void* item = some_item();
  for (auto _ : state) {
    deque.push(item);
    forget();
    use(deque.pop());
  }
  count(state, 2 * runs(state));
}

template <class Deque>
void push_then_pop(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  void* item = some_item();
  for (auto _ : state) {
    for (std::size_t i = 0; i != batch; ++i) {
      deque.push(item);
      forget();
    }
    for (std::size_t i = 0; i != batch; ++i) use(deque.pop());
  }
  count(state, 2 * batch * runs(state));
}

/// What a worker does before it turns thief.
template <class Deque>
void pop_empty(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  deque.push(some_item());
  use(deque.pop());
  for (auto _ : state) use(deque.pop());
  count(state, runs(state));
}

/// A fresh structure that doubles six times; its making and freeing are part of it.
template <class Deque>
void growth(benchmark::State& state) {
  void* item = some_item();
  for (auto _ : state) {
    Deque place(small);
    Deque& deque = opaque(place);
    for (std::size_t i = 0; i != grown; ++i) {
      deque.push(item);
      forget();
    }
  }
  count(state, static_cast<double>(grown) * runs(state));
}

}  // namespace licit_bench

#endif
