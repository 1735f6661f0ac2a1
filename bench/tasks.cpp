// What a task costs without a scheduler: 10,000 are made, run and let go, from one memory resource or another; and what
// a mutex costs that nobody else wants.
#include <condition_variable>
#include <memory_resource>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler/sync/mutex.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/yield.hpp>

#include <benchmark/benchmark.h>

namespace {

constexpr int tasks = 10'000;

/// Keeps what it is given, until it is told to run it.
class list_executor : public licit::executor {
 public:
  explicit list_executor(std::pmr::memory_resource& memory) : memory_{memory} { list_.reserve(tasks); }
  void schedule(licit::task_header& task, licit::placement /*where*/) noexcept override { list_.push_back(&task); }
  [[nodiscard]] std::pmr::memory_resource& memory() noexcept override { return memory_; }
  /// Also those that come meanwhile, after the others.
  void run() {
    const licit::context_scope here(*this);
    while (!list_.empty()) {
      std::swap(list_, running_);
      for (licit::task_header* t : running_) t->run();
      running_.clear();
    }
  }

 private:
  std::pmr::memory_resource& memory_;
  std::vector<licit::task_header*> list_;
  std::vector<licit::task_header*> running_;
};

/// A second thread, which does something when it is asked to.
class helper {
 public:
  explicit helper(list_executor& what) : what_{what}, thread_{[this] { work(); }} {}
  ~helper() { ask(ends); }
  /// Until it has done so.
  void run() {
    ask(asked);
    std::unique_lock lock(mutex_);
    change_.wait(lock, [this] { return now_ == idle; });
  }

 private:
  enum state { idle, asked, ends };
  void ask(state s) {
    {
      const std::lock_guard lock(mutex_);
      now_ = s;
    }
    change_.notify_all();
  }
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      change_.wait(lock, [this] { return now_ != idle; });
      if (now_ == ends) return;
      what_.run();
      now_ = idle;
      change_.notify_all();
    }
  }

  list_executor& what_;
  std::mutex mutex_;
  std::condition_variable change_;
  state now_ = idle;
  std::jthread thread_;
};

template <class Resource>
std::pmr::memory_resource& memory() {
  static Resource resource;
  return resource;
}
struct no_pool {};
template <>
std::pmr::memory_resource& memory<no_pool>() {
  return *std::pmr::new_delete_resource();
}

template <class Resource>
void one_by_one(benchmark::State& state) {
  list_executor e(memory<Resource>());
  for (auto _ : state) {
    auto h = spawn(e, [] { return 1; });
    e.run();
    benchmark::DoNotOptimize(h.get());
  }
}

template <class Resource>
void all_then_run(benchmark::State& state) {
  list_executor e(memory<Resource>());
  std::vector<licit::join_handle<int>> handles;
  handles.reserve(tasks);
  for (auto _ : state) {
    for (int i = 0; i != tasks; ++i) handles.push_back(spawn(e, [i] { return i; }));
    e.run();
    for (auto& h : handles) benchmark::DoNotOptimize(h.get());
    handles.clear();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

template <class Resource>
void run_elsewhere(benchmark::State& state) {
  list_executor e(memory<Resource>());
  helper other(e);
  for (auto _ : state) {
    for (int i = 0; i != tasks; ++i) spawn(e, [i] { benchmark::DoNotOptimize(i); });
    other.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

licit::task<int> number(int n) { co_return n; }

void coroutines(benchmark::State& state) {
  list_executor e(memory<no_pool>());
  std::vector<licit::join_handle<int>> handles;
  handles.reserve(tasks);
  for (auto _ : state) {
    for (int i = 0; i != tasks; ++i) handles.push_back(spawn(e, number(i)));
    e.run();
    for (auto& h : handles) benchmark::DoNotOptimize(h.get());
    handles.clear();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

licit::task<> yields(int times) {
  for (int i = 0; i != times; ++i) co_await licit::yield_now();
}
void yield_of_200(benchmark::State& state) {
  list_executor e(memory<no_pool>());
  for (auto _ : state) {
    for (int i = 0; i != 200; ++i) spawn(e, yields(tasks / 200));
    e.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

licit::task<> awaits(int times) {
  for (int i = 0; i != times; ++i) co_await licit::spawn([] {});
}
void spawn_and_await(benchmark::State& state) {
  list_executor e(memory<no_pool>());
  for (auto _ : state) {
    spawn(e, awaits(tasks));
    e.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

licit::task<> locks(licit::mutex& m, int times) {
  for (int i = 0; i != times; ++i) {
    const licit::mutex_guard held = co_await m.lock();
    benchmark::DoNotOptimize(held);
  }
}
/// Lock and unlock, and nobody else wants it.
void uncontended_mutex(benchmark::State& state) {
  list_executor e(memory<no_pool>());
  licit::mutex m;
  for (auto _ : state) {
    spawn(e, locks(m, tasks));
    e.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks);
}

BENCHMARK(uncontended_mutex);
BENCHMARK(yield_of_200);
BENCHMARK(spawn_and_await);
BENCHMARK(one_by_one<no_pool>);
BENCHMARK(all_then_run<no_pool>);
BENCHMARK(run_elsewhere<no_pool>)->UseRealTime();
BENCHMARK(coroutines);
BENCHMARK(one_by_one<std::pmr::unsynchronized_pool_resource>);
BENCHMARK(all_then_run<std::pmr::unsynchronized_pool_resource>);
BENCHMARK(one_by_one<std::pmr::synchronized_pool_resource>);
BENCHMARK(all_then_run<std::pmr::synchronized_pool_resource>);
BENCHMARK(run_elsewhere<std::pmr::synchronized_pool_resource>)->UseRealTime();

}  // namespace
