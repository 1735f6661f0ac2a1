// The inject queue beside a mutexed list, sharded lists, moodycamel's and oneTBB's queues: so many producers push
// nodes of their own one at a time, so many consumers take batches until all are there. Time for an item, everything
// in.
//   licit_inject_bench --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <latch>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <licit/scheduler/inject/inject_queue.hpp>

#include <benchmark/benchmark.h>

#ifdef LICIT_MOODYCAMEL
#include <concurrentqueue/concurrentqueue.h>
#endif
#ifdef LICIT_TBB
#include <tbb/concurrent_queue.h>
#endif

namespace {

// The queues that are compared: each takes node pointers, `push(node*)` and `pop(span)`.

/// What is injected: as a task, it has a link.
struct node {
  node* next = nullptr;
};

class licit_inject {
 public:
  void push(node* n) { items_.push(n); }
  std::size_t pop(std::span<node*> into) { return items_.pop(into); }

 private:
  licit::inject_queue<node*> items_;
};

/// A list under one mutex, its length readable without it.
class mutexed_list {
 public:
  void push(node* n) {
    n->next = nullptr;
    const std::lock_guard lock(mutex_);
    (last_ == nullptr ? first_ : last_->next) = n;
    last_ = n;
    size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  std::size_t pop(std::span<node*> into) {
    if (size_.load(std::memory_order_relaxed) == 0) return 0;
    const std::lock_guard lock(mutex_);
    std::size_t got = 0;
    for (; got != into.size() && first_ != nullptr; first_ = first_->next) into[got++] = first_;
    if (first_ == nullptr) last_ = nullptr;
    size_.store(size_.load(std::memory_order_relaxed) - got, std::memory_order_relaxed);
    return got;
  }

 private:
  alignas(128) std::mutex mutex_;
  node* first_ = nullptr;
  node* last_ = nullptr;
  std::atomic<std::size_t> size_{0};
};

/// Four of them: a producer keeps to one, a taker tries them all from where it found something last.
class sharded_lists {
 public:
  void push(node* n) { lists_[own()].push(n); }
  std::size_t pop(std::span<node*> into) {
    static thread_local std::size_t from = 0;
    for (std::size_t i = 0; i != lists_.size(); ++i) {
      if (const std::size_t got = lists_[from].pop(into); got != 0) return got;
      from = (from + 1) % lists_.size();
    }
    return 0;
  }

 private:
  static std::size_t own() {
    static std::atomic<std::size_t> threads{0};
    static thread_local const std::size_t mine = threads.fetch_add(1, std::memory_order_relaxed);
    return mine % 4;
  }
  std::array<mutexed_list, 4> lists_;
};

#ifdef LICIT_MOODYCAMEL
class moodycamel_inject {
 public:
  void push(node* n) { items_.enqueue(n); }
  std::size_t pop(std::span<node*> into) { return items_.try_dequeue_bulk(into.data(), into.size()); }

 private:
  moodycamel::ConcurrentQueue<node*> items_;
};
#endif

#ifdef LICIT_TBB
class tbb_inject {
 public:
  void push(node* n) { items_.push(n); }
  std::size_t pop(std::span<node*> into) {
    std::size_t got = 0;
    while (got != into.size() && items_.try_pop(into[got])) ++got;
    return got;
  }

 private:
  tbb::concurrent_queue<node*> items_;
};
#endif

constexpr std::size_t total = 200'000;

template <class Queue>
double round_of(std::size_t producers, std::size_t consumers, std::size_t batch) {
  Queue queue;
  std::vector<node> nodes(total);
  std::atomic<std::size_t> left{total / producers * producers};
  std::latch ready(static_cast<std::ptrdiff_t>(producers + consumers + 1));
  std::vector<std::thread> threads;
  for (std::size_t p = 0; p != producers; ++p) {
    threads.emplace_back([&, p] {
      const std::size_t share = total / producers;
      ready.arrive_and_wait();
      for (node& n : std::span(nodes).subspan(p * share, share)) queue.push(&n);
    });
  }
  for (std::size_t c = 0; c != consumers; ++c) {
    threads.emplace_back([&] {
      std::vector<node*> into(batch);
      ready.arrive_and_wait();
      while (left.load(std::memory_order_relaxed) != 0) {
        const std::size_t got = queue.pop(into);
        if (got == 0) {
          std::this_thread::yield();
        } else {
          left.fetch_sub(got, std::memory_order_relaxed);
        }
      }
    });
  }
  ready.arrive_and_wait();
  const auto begun = std::chrono::steady_clock::now();
  for (std::thread& t : threads) t.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

template <class Queue>
void inject(benchmark::State& state) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(state.range(i)); };
  for (auto _ : state) state.SetIterationTime(round_of<Queue>(at(0), at(1), at(2)));
  state.counters["item"] = benchmark::Counter(
      static_cast<double>(total), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Nobody else: a push, and a pop, of so many at a time.
template <class Queue>
void alone(benchmark::State& state) {
  Queue queue;
  std::vector<node> nodes(256);
  std::vector<node*> into(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    for (node& n : nodes) queue.push(&n);
    for (std::size_t got = 0; got != nodes.size();) got += queue.pop(into);
  }
  state.counters["item"] = benchmark::Counter(
      static_cast<double>(nodes.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Queue>
void suite(const std::string& name) {
  benchmark::RegisterBenchmark(("alone/" + name).c_str(), alone<Queue>)->ArgName("batch")->Arg(1)->Arg(32);
  benchmark::RegisterBenchmark(("inject/" + name).c_str(), inject<Queue>)
      ->ArgNames({"producers", "consumers", "batch"})
      ->ArgsProduct({{1, 2, 4, 8}, {1, 2}, {1, 32}})
      ->UseManualTime()
      ->MeasureProcessCPUTime()
      ->MinTime(0.1);
}

}  // namespace

int main(int argc, char** argv) {
  suite<licit_inject>("licit");
  suite<mutexed_list>("mutex");
  suite<sharded_lists>("shards");
#ifdef LICIT_MOODYCAMEL
  suite<moodycamel_inject>("moodycamel");
#endif
#ifdef LICIT_TBB
  suite<tbb_inject>("tbb");
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
