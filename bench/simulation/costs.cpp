// What the simulation charges, measured on this machine with two processors: bench/simulation/costs.txt is its output.
//   licit_simulation_costs > bench/simulation/costs.txt
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/futex.hpp>
#include <licit/deque/membarrier.hpp>
#include <licit/deque/native.hpp>
#include <licit/scheduler.hpp>
#include <licit/scheduler/clock.hpp>

#include "processor.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

using licit_bench::on_processor;
using nanoseconds = double;

double now() { return static_cast<double>(licit::detail::steady_nanoseconds::now()); }

/// Other programs make a measurement longer and never shorter, so the fast decile is taken.
double decile(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 10];
}

double repeated(std::size_t times, const std::function<double()>& measure) {
  std::vector<double> all;
  for (std::size_t i = 0; i != times; ++i) all.push_back(measure());
  return decile(all);
}

void pause_once() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

void print(const char* name, nanoseconds value, const char* how) { std::printf("%-14s %9.2f  %s\n", name, value, how); }

// --- lines: a chain through many of them, each in a pair of lines of its own, in an order that no prefetcher guesses

struct alignas(256) line {
  std::atomic<std::uint64_t> next{0};
};
constexpr std::size_t lines_in_chain = 128;  // fit into a first-level cache, beside each other

class chain {
 public:
  chain() : lines_(lines_in_chain) {
    std::vector<std::uint64_t> order(lines_in_chain);
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t state = 1;
    for (std::size_t i = lines_in_chain - 1; i != 0; --i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      std::swap(order[i], order[(state >> 33) % (i + 1)]);
    }
    for (std::size_t i = 0; i != lines_in_chain; ++i) lines_[order[i]].next = order[(i + 1) % lines_in_chain];
  }

  /// So many times round; nanoseconds a step. Each step's address comes from the step before.
  double read(std::size_t rounds = 1) {
    return walk(rounds, [](line& l) { return l.next.load(std::memory_order_relaxed); });
  }
  double update(std::size_t rounds = 1) {
    return walk(rounds, [](line& l) { return l.next.fetch_add(0, std::memory_order_relaxed); });
  }
  /// Out of all caches.
  void flush() {
#if defined(__x86_64__)
    for (line& each : lines_) _mm_clflush(&each);
    _mm_mfence();
#endif
  }

 private:
  template <class Step>
  double walk(std::size_t rounds, Step step) {
    const double begun = now();
    std::uint64_t at = 0;
    for (std::size_t i = 0; i != rounds * lines_in_chain; ++i) at = step(lines_[at]);
    sink_ = at;
    return (now() - begun) / static_cast<double>(rounds * lines_in_chain);
  }

  std::vector<line> lines_;
  volatile std::uint64_t sink_ = 0;
};

/// A thread on the second processor that does what it is told, while the first one waits.
class other {
 public:
  other() : thread_{[this] { work(); }} {}
  ~other() {
    (*this)([this] { ends_ = true; });
  }
  other(const other&) = delete;
  other& operator=(const other&) = delete;
  void operator()(std::function<void()> what) {
    begin(std::move(what));
    finish();
  }
  void begin(std::function<void()> what) {
    what_ = std::move(what);
    told_.store(1, std::memory_order_release);
    told_.notify_one();
  }
  void finish() { told_.wait(1); }

 private:
  void work() {
    const on_processor second(1);
    while (!ends_) {
      told_.wait(0);
      what_();
      told_.store(0, std::memory_order_release);
      told_.notify_one();
    }
  }
  std::function<void()> what_;
  alignas(256) std::atomic<int> told_{0};
  bool ends_ = false;
  alignas(256) std::jthread thread_;
};

void measure_lines(other& second) {
  chain all;
  const auto after = [&](const std::function<void()>& first, auto&& measured) {
    return repeated(200, [&] {
      first();
      return measured();
    });
  };
  const auto read = [&] { return all.read(); };
  const auto update = [&] { return all.update(); };
  const double own_update = repeated(200, [&] { return all.update(50); });
  print("hit", repeated(200, [&] { return all.read(50); }), "a load of a line that is in the own cache");
  print("update", own_update, "a read-modify-write of a line that nobody else has");
  print("read_dirty", after([&] { second([&] { all.update(); }); }, read), "a load of a line that another wrote last");
  const auto others_clean = [&] {
    all.flush();
    second([&] { all.read(); });
  };
  print("read_clean", after(others_clean, read), "a load of a line that another has, and nobody changed");
  print("write_dirty", after([&] { second([&] { all.update(); }); }, update) - own_update,
        "more for a read-modify-write of a line that another wrote last");
  const auto both = [&] {
    all.update();
    second([&] { all.read(); });
  };
  print("write_shared", std::max(after(both, update) - own_update, 0.0),
        "more for a read-modify-write of a line that another has too");
}

void measure_instructions() {
  constexpr int many = 20000;
  const auto each = [](auto&& step) {
    return repeated(200, [&] {
      const double begun = now();
      for (int i = 0; i != many; ++i) step();
      return (now() - begun) / many;
    });
  };
  std::atomic<std::uint64_t> word{0};
  const double store = each([&] { word.store(1, std::memory_order_release); });
  print("store", store, "a store to a line that nobody else has");
  print("fence",
        std::max(each([&] {
                   word.store(1, std::memory_order_relaxed);
                   licit::native::full_fence();
                 }) - store,
                 0.0),
        "a full fence after a store");
  print("pause", each(pause_once), "a pause instruction");
  print("clock", each([] { (void)licit::detail::steady_nanoseconds::now(); }), "a look at the clock");
}

void measure_futex(other& second) {
  std::atomic<std::uint32_t> word{0};
  print("futex_refused",
        repeated(2000,
                 [&] {
                   const double begun = now();
                   licit::futex_wait(word, 1);
                   return now() - begun;
                 }),
        "a futex wait that returns at once");
  std::vector<double> wakes;
  std::vector<double> latencies;
  for (int i = 0; i != 800; ++i) {
    double woken = 0;
    word = 0;
    second.begin([&] {
      while (word.load() == 0) licit::futex_wait(word, 0);
      woken = now();
    });
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    const double begun = now();
    word = 1;
    licit::futex_wake_one(word);
    wakes.push_back(now() - begun);
    second.finish();
    latencies.push_back(woken - begun);
  }
  print("futex_wake", decile(wakes), "a futex wake, for the caller, when a thread sleeps");
  print("futex_latency", decile(latencies), "from that call until the thread that slept runs");
}

void measure_membarrier(other& second) {
  if (!licit::asymmetric_fences().asymmetric) return;
  constexpr int many = 50;
  const auto barriers = [] {
    const double begun = now();
    for (int i = 0; i != many; ++i) licit::membarrier();
    return (now() - begun) / many;
  };
  std::atomic<bool> ends = false;
  double alone = 0;
  {
    // The second thread must sleep: a spinning one would be interrupted.
    std::atomic<std::uint32_t> word{0};
    second.begin([&] {
      while (word.load() == 0) licit::futex_wait(word, 0);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    alone = repeated(100, barriers);
    word = 1;
    licit::futex_wake_one(word);
    second.finish();
  }
  print("membarrier", alone, "a membarrier while no other thread of the process runs");
  constexpr int rounds = 200000;
  const auto spins = [] {
    const double begun = now();
    for (int i = 0; i != rounds; ++i) std::atomic_signal_fence(std::memory_order_seq_cst), pause_once();
    return now() - begun;
  };
  double undisturbed = 0;
  second([&] { undisturbed = repeated(20, spins); });
  std::vector<double> losses;
  std::vector<double> calls;
  for (int i = 0; i != 100; ++i) {
    double disturbed = 0;
    ends = false;
    second.begin([&] {
      disturbed = spins();
      ends = true;
    });
    int done = 0;
    const double begun = now();
    for (; !ends.load(std::memory_order_relaxed); ++done) licit::membarrier();
    calls.push_back((now() - begun) / std::max(done, 1));
    second.finish();
    losses.push_back(std::max(disturbed - undisturbed, 0.0) / std::max(done, 1));
  }
  print("membarrier_other", std::max(decile(calls) - alone, 0.0), "more for each other thread that runs");
  print("interrupted", decile(losses), "what each of these loses by it");
}

/// The other takes an item as soon as it is there, and says so.
void measure_steal(other& second, nanoseconds notice) {
  licit::owner<std::uint64_t> mine;
  alignas(256) std::atomic<std::uint64_t> taken{0};
  constexpr std::uint64_t items = 400;
  const double round = repeated(100, [&] {
    taken = 0;
    second.begin([&, thief = mine.stealer()] {
      for (std::uint64_t i = 0; i != items;) {
        if (const auto got = thief.steal()) taken.store(i = *got, std::memory_order_release);
      }
    });
    const double begun = now();
    for (std::uint64_t i = 1; i <= items; ++i) {
      mine.push(i);
      while (taken.load(std::memory_order_acquire) != i) {
      }
    }
    const double each = (now() - begun) / items;
    second.finish();
    return each;
  });
  print("steal", std::max(round - notice, 0.0), "from a push until a thief that looks all the time has the item");
}

/// A chain of tasks, of which each spawns the next.
void measure_task() {
  constexpr int many = 20000;
  licit::scheduler workers{{.workers = 1}};
  std::atomic<int> left = 0;
  std::function<void()> link;
  link = [&] {
    if (left.fetch_sub(1, std::memory_order_relaxed) > 1) (void)workers.spawn([&] { link(); });
  };
  print("task",
        repeated(60,
                 [&] {
                   left = many;
                   const double begun = now();
                   (void)workers.spawn([&] { link(); });
                   while (left.load(std::memory_order_relaxed) > 0) std::this_thread::yield();
                   return (now() - begun) / many;
                 }),
        "a task that spawns the next, on one worker, all in all");
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (std::thread::hardware_concurrency() < 2) {
    std::fputs("licit_simulation_costs: needs two processors\n", stderr);
    return 1;
  }
  std::printf("# Nanoseconds, the fast decile of each measurement; bench/simulation/costs.cpp says how. Made by\n");
  std::printf("# `licit_simulation_costs > bench/simulation/costs.txt`\n");
  other second;  // before this thread is bound, since a thread begins bound as its maker is
  const on_processor first(0);
  measure_lines(second);
  measure_instructions();
  measure_futex(second);
  measure_membarrier(second);
  chain all;
  measure_steal(second, repeated(200, [&] {
                  second([&] { all.update(); });
                  return all.read();
                }));
  measure_task();
  return 0;
}
