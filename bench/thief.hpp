/// Thieves. The time is that of the thread in question on its processor, so that a busy machine adds less noise.
#ifndef LICIT_BENCH_THIEF_HPP
#define LICIT_BENCH_THIEF_HPP

#include <algorithm>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <thread>

#include <benchmark/benchmark.h>

#include "opaque.hpp"
#include "owner.hpp"
#include "processor.hpp"

namespace licit_bench {

/// What one thread polls must not lie beside what another writes: the benchmark would measure that. Two lines, as the
/// adjacent one is fetched too.
inline constexpr std::size_t apart = 128;

/// A structure whose thieves take half. `steal_half(own)` is the number of items that the thief has then, the one in
/// its hand included; the others are in `own`.
template <class Deque>
concept halves = requires(Deque& victim, Deque& own) {
  { victim.steal_half(own) } -> std::same_as<std::size_t>;
};

/// The items that one attempt brings: half, where the structure has that, or one; none when it fails.
template <class Deque>
std::size_t steal_some(Deque& victim, Deque& own) {
  if constexpr (halves<Deque>) {
    return victim.steal_half(own);
  } else {
    return victim.steal() != nullptr ? 1 : 0;
  }
}

/// What was brought home is run, which takes no time here.
template <class Deque>
void drop_all(Deque& own) {
  while (own.pop() != nullptr) {
  }
}

/// A batch of 64 pushes, then pops until nothing is left: how many that were.
template <class Deque>
std::uint64_t push_and_pop_all(Deque& deque, void* item) {
  for (std::size_t i = 0; i != small; ++i) {
    deque.push(item);
    forget();
  }
  std::uint64_t popped = 0;
  for (void* got = deque.pop(); got != nullptr; got = deque.pop()) {
    use(got);
    ++popped;
  }
  return popped;
}

/// The owner's operations while a thief never stops trying, by half if it can. `stolen` is the share of the items that
/// the thief got. The floor has no thief.
template <class Deque>
void owner_with_thief(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  void* item = some_item();
  alignas(apart) std::atomic<bool> ready{false};
  alignas(apart) std::atomic<bool> done{false};
  alignas(apart) std::uint64_t stolen = 0;
  std::thread thief([&] {
    const on_processor there(1);
    std::uint64_t got = 0;
    ready.store(true, std::memory_order_relaxed);
    if constexpr (Deque::thieves) {
      Deque own(roomy);
      while (!done.load(std::memory_order_relaxed)) {
        const std::size_t some = steal_some(deque, own);
        if (some > 1) drop_all(own);
        got += some;
      }
    }
    stolen = got;
  });
  const on_processor here(0);
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::uint64_t batches = 0;
  std::uint64_t popped = 0;
  for (auto _ : state) {
    popped += push_and_pop_all(deque, item);
    ++batches;
  }
  done.store(true, std::memory_order_relaxed);
  thief.join();
  const std::uint64_t pushed = batches * small;
  count(state, static_cast<double>(pushed + popped + batches));
  while (deque.pop() != nullptr) ++popped;
  if (popped + stolen != pushed) state.SkipWithError("items were lost or taken twice");
  if (Deque::thieves) state.counters["stolen"] = static_cast<double>(stolen) / static_cast<double>(pushed);
}

inline double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What it costs to ask, which is a system call, and so lies within every interval: the least of many.
inline double asking() {
  static const double least = [] {
    double found = 1;
    for (int i = 0; i != 10'000; ++i) {
      const double start = thread_seconds();
      found = std::min(found, thread_seconds() - start);
    }
    return found;
  }();
  return least;
}

/// The time of the calling thread on its processor since it was made.
class stopwatch {
 public:
  [[nodiscard]] double seconds() const { return std::max(0.0, thread_seconds() - start_ - asking_); }

 private:
  double asking_ = asking();
  double start_ = thread_seconds();
};

template <class Deque>
void fill(Deque& deque, std::size_t items = batch) {
  void* item = some_item();
  for (std::size_t i = 0; i != items; ++i) deque.push(item);
}

/// Seconds that it takes to steal a batch.
template <class Deque>
double drain(Deque& deque) {
  const stopwatch watch;
  for (std::size_t left = batch; left != 0;) left -= deque.steal() != nullptr ? 1 : 0;
  return watch.seconds();
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

/// A thread on another processor that fills the structure when it is asked to: what is in it lies in that one's cache.
template <class Deque>
class filler {
 public:
  filler(Deque& deque, std::size_t items) : thread_{[this, &deque, items] { serve(deque, items); }} {}
  filler(const filler&) = delete;
  filler& operator=(const filler&) = delete;
  ~filler() {
    whose_.store(turn::nobody, std::memory_order_release);
    thread_.join();
  }

  void fill_once() {
    whose_.store(turn::owner, std::memory_order_release);
    while (whose_.load(std::memory_order_acquire) != turn::thief) std::this_thread::yield();
  }

 private:
  enum class turn : int { thief, owner, nobody };

  void serve(Deque& deque, std::size_t items) {
    const on_processor there(1);
    for (turn t = turn::thief; t != turn::nobody; t = whose_.load(std::memory_order_acquire)) {
      if (t == turn::owner) {
        fill(deque, items);
        whose_.store(turn::thief, std::memory_order_release);
      } else {
        std::this_thread::yield();
      }
    }
  }

  alignas(apart) std::atomic<turn> whose_{turn::thief};
  alignas(apart) std::thread thread_;
  on_processor here_{0};  // after the thread, which would stay here
};

/// Steals of what another thread pushed: with the lines in that thread's cache.
template <class Deque>
void steal_across(benchmark::State& state) {
  Deque place(roomy);
  Deque& deque = opaque(place);
  filler<Deque> owner(deque, batch);
  for (auto _ : state) {
    owner.fill_once();
    state.SetIterationTime(drain(deque));
  }
  count(state, batch * runs(state));
}

inline constexpr std::size_t half_batch = 256;

/// How a thief brought a batch home.
struct haul {
  std::uint64_t items = 0;
  std::uint64_t claims = 0;
  double seconds = 0;
};

/// Takes a batch home, and only that: what is done with it there is not timed. Gives up when nothing comes for long.
template <class Deque>
void bring_home(Deque& deque, Deque& own, haul& all) {
  constexpr std::size_t patience = 10'000'000;
  std::size_t left = half_batch;
  std::size_t claims = 0;
  const stopwatch watch;
  for (std::size_t in_vain = 0; left != 0 && in_vain != patience;) {
    const std::size_t some = steal_some(deque, own);
    left -= some;
    if (some != 0) {
      ++claims;
    } else if (++in_vain % 64 == 0) {
      drop_all(own);  // it may be full
    }
  }
  all.seconds = watch.seconds();
  all.items += half_batch - left;
  all.claims += claims;
  drop_all(own);
}

inline void report(benchmark::State& state, const haul& all) {
  if (static_cast<double>(all.items) != half_batch * runs(state)) state.SkipWithError("not all items could be stolen");
  count(state, half_batch * runs(state));
  state.counters["per_claim"] = static_cast<double>(all.items) / static_cast<double>(all.claims);
}

/// 256 items that the same thread pushed, taken home half by half, or one by one where the structure has no half.
template <class Deque>
void steal_half_near(benchmark::State& state) {
  Deque place(roomy);
  Deque home(roomy);
  Deque& deque = opaque(place);
  Deque& own = opaque(home);
  haul all;
  for (auto _ : state) {
    fill(deque, half_batch);
    bring_home(deque, own, all);
    state.SetIterationTime(all.seconds);
  }
  report(state, all);
}

/// The same of what another thread pushed.
template <class Deque>
void steal_half_across(benchmark::State& state) {
  Deque place(roomy);
  Deque home(roomy);
  Deque& deque = opaque(place);
  Deque& own = opaque(home);
  haul all;
  {
    filler<Deque> owner(deque, half_batch);
    for (auto _ : state) {
      owner.fill_once();
      bring_home(deque, own, all);
      state.SetIterationTime(all.seconds);
    }
  }
  report(state, all);
}

}  // namespace licit_bench

#endif
