/// Workers that have nothing to do: how soon one runs what comes, and what they cost meanwhile. Coroutines that sleep.
#ifndef LICIT_BENCH_SCHEDULER_SLEEPING_HPP
#define LICIT_BENCH_SCHEDULER_SLEEPING_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/time.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"

namespace licit_bench {

/// What the kernel has counted of some of this process's threads.
struct thread_counters {
  std::uint64_t threads = 0;
  std::uint64_t voluntary = 0;    ///< context switches
  std::uint64_t involuntary = 0;  ///< context switches
  std::uint64_t cpu_ns = 0;

  /// Those whose name begins so, from /proc/self/task.
  static thread_counters of_threads_named(const std::string& beginning) {
    thread_counters sum;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream name(thread.path() / "comm");
      std::string line;
      if (std::getline(name, line) && line.starts_with(beginning)) sum.add(thread.path());
    }
    return sum;
  }

  /// All but the calling one.
  static thread_counters of_other_threads() {
    thread_counters sum;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      if (thread.path().filename() != std::to_string(gettid())) sum.add(thread.path());
    }
    return sum;
  }

  thread_counters& operator+=(const thread_counters& other) {
    voluntary += other.voluntary;
    involuntary += other.involuntary;
    cpu_ns += other.cpu_ns;
    return *this;
  }
  friend thread_counters operator-(thread_counters later, const thread_counters& earlier) {
    later.voluntary -= earlier.voluntary;
    later.involuntary -= earlier.involuntary;
    later.cpu_ns -= earlier.cpu_ns;
    return later;
  }

 private:
  void add(const std::filesystem::path& thread) {
    ++threads;
    std::ifstream status(thread / "status");
    for (std::string key; status >> key;) {
      std::uint64_t number = 0;
      if (key == "voluntary_ctxt_switches:" && status >> number) voluntary += number;
      if (key == "nonvoluntary_ctxt_switches:" && status >> number) involuntary += number;
      status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    std::uint64_t ran = 0;
    if (std::ifstream(thread / "schedstat") >> ran) cpu_ns += ran;
  }
};

/// In the set of the parked; and some time later, as who parks has yet to go to sleep.
inline void until_asleep(const licit::scheduler& all) {
  while (all.metrics().parked != workers) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds{200});
}

/// From a spawn, by a thread that is no worker, to the task's first instruction; all workers sleep.
inline void wake_up(benchmark::State& state, const licit::scheduler_options& options) {
  licit::scheduler all(options);
  for (auto _ : state) {
    until_asleep(all);
    const auto before = bench_clock::now();
    const auto began = all.spawn([] { return bench_clock::now(); }).get();
    state.SetIterationTime(seconds(began - before));
  }
  count_rounds(state, 1);
  check_all_ran(state, all, static_cast<std::uint64_t>(state.iterations()));
}

/// The same with a thread that sleeps on a futex, and no scheduler: what the kernel takes.
inline void wake_up_bare(benchmark::State& state) {
  std::atomic<std::uint32_t> asked = 0;
  countdown answered;
  bench_clock::time_point began;
  std::jthread sleeper([&](const std::stop_token& stop) {
    for (std::uint32_t seen = 0;; ++seen) {
      asked.wait(seen, std::memory_order_acquire);
      if (stop.stop_requested()) return;
      began = bench_clock::now();
      answered.done();
    }
  });
  for (auto _ : state) {
    std::this_thread::sleep_for(std::chrono::microseconds{200});
    answered.begin(1);
    const auto before = bench_clock::now();
    asked.fetch_add(1, std::memory_order_release);
    asked.notify_one();
    answered.wait();
    state.SetIterationTime(seconds(began - before));
  }
  count_rounds(state, 1);
  sleeper.request_stop();
  asked.fetch_add(1, std::memory_order_release);
  asked.notify_one();
}

inline void report_switches(benchmark::State& state, const thread_counters& sum) {
  count_rounds(state, 0);
  state.counters["voluntary"] = static_cast<double>(sum.voluntary);
  state.counters["involuntary"] = static_cast<double>(sum.involuntary);
  state.counters["cpu_ns"] = static_cast<double>(sum.cpu_ns);
}

inline void refuse_wake_ups(benchmark::State& state, const thread_counters& sum) {
  if (sum.voluntary + sum.involuntary + sum.cpu_ns != 0) state.SkipWithError("idle workers woke up");
}

/// A second in which nothing is to do, after tasks have run: times that the workers were put onto a processor, and time
/// there, as the kernel counts them. Not one is allowed.
inline void idle(benchmark::State& state, const licit::scheduler_options& options) {
  licit::scheduler all(options);
  countdown all_done;
  thread_counters sum;
  for (auto _ : state) {
    all_done.begin(workers);
    for (std::size_t i = 0; i != workers; ++i) all.spawn([&all_done] { all_done.done(); }).detach();
    all_done.wait();
    until_asleep(all);
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const thread_counters before = thread_counters::of_threads_named(options.thread_name);
    std::this_thread::sleep_for(std::chrono::seconds{1});
    const thread_counters after = thread_counters::of_threads_named(options.thread_name);
    if (after.threads != workers) state.SkipWithError("/proc/self/task does not show the workers");
    sum += after - before;
  }
  report_switches(state, sum);
  refuse_wake_ups(state, sum);
}

inline constexpr std::uint32_t timeouts = 100'000;

/// Awaited, sets a timer as a coroutine does that falls asleep, and cancels it as one does that is destroyed there.
struct cancelled_sleep {
  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> here) const {
    licit::sleep_awaiter sleep = licit::sleep_for(std::chrono::seconds{30});
    if (!sleep.await_ready()) (void)sleep.await_suspend(here);
    return false;
  }
  void await_resume() const noexcept {}
};

/// Timeouts that do not happen: one task sets 100,000 timers, and cancels each.
inline void set_and_cancel(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, 1, [&](licit::scheduler& all) {
    all_done.begin(1);
    all.spawn([](countdown& done) -> licit::task<> {
         for (std::uint32_t i = 0; i != timeouts; ++i) co_await cancelled_sleep();
         done.done();
       }(all_done))
        .detach();
    all_done.wait();
  });
  count_items(state, timeouts);
}

/// By how much sleepers were late, in microseconds: the median and the 99th percentile, of which up to a thousand are
/// due to the rounding of deadlines to a millisecond. None may be early.
inline void report_lateness(benchmark::State& state, std::vector<double>& late) {
  if (late.empty()) return state.SkipWithError("nobody slept");
  std::ranges::sort(late);
  if (late.front() < 0) state.SkipWithError("a sleeper woke early");
  state.counters["late_us"] = late[late.size() / 2];
  state.counters["late99_us"] = late[late.size() / 100 * 99];
}

inline licit::task<> sleeper(std::chrono::microseconds most, double& late) {
  const auto until = bench_clock::now() + most;
  co_await licit::sleep_until(until);
  late = std::chrono::duration<double, std::micro>(bench_clock::now() - until).count();
}

inline constexpr std::uint32_t sleepers = 100'000;

/// 100,000 tasks sleep for one to two seconds each.
inline void many_sleepers(benchmark::State& state, const licit::scheduler_options& options) {
  licit::scheduler all(options);
  std::vector<double> late(sleepers);
  for (auto _ : state) {
    std::vector<licit::join_handle<>> tasks;
    tasks.reserve(sleepers);
    for (std::uint32_t i = 0; i != sleepers; ++i) {
      tasks.push_back(all.spawn(sleeper(std::chrono::microseconds{1'000'000 + i * 10}, late[i])));
    }
    for (auto& each : tasks) each.get();
  }
  count_rounds(state, sleepers);
  report_lateness(state, late);
}

inline constexpr std::chrono::milliseconds long_poll{100};
inline constexpr std::uint32_t beside = 90;

/// Tasks that set their timers, and a task that then stays in one poll until all the timers are over.
class long_poll_round {
 public:
  licit::task<> run() {
    for (std::uint32_t i = 0; i != beside; ++i) {
      tasks_.push_back(licit::spawn(sleep_beside(std::chrono::milliseconds{5 + i}, i)));
    }
    while (set_.load(std::memory_order_acquire) != beside) co_await licit::yield_now();
    const auto end = bench_clock::now() + long_poll;
    while (bench_clock::now() < end) {
    }
    same_ = std::ranges::count(by_, std::this_thread::get_id());
  }
  /// How many of the timers were set by the worker that was in the poll.
  [[nodiscard]] std::ptrdiff_t set_by_same() const { return same_; }
  void wait_into(std::vector<double>& late) {
    for (auto& each : tasks_) each.get();
    late.insert(late.end(), late_.begin(), late_.end());
  }

 private:
  licit::task<> sleep_beside(std::chrono::microseconds most, std::size_t number) {
    by_[number] = std::this_thread::get_id();
    set_.fetch_add(1, std::memory_order_release);
    co_await sleeper(most, late_[number]);
  }

  std::atomic<std::uint32_t> set_ = 0;
  std::ptrdiff_t same_ = 0;
  std::array<std::thread::id, beside> by_{};
  std::array<double, beside> late_{};
  std::vector<licit::join_handle<>> tasks_;
};

/// Sleepers while a worker is in a poll of 100 ms, whose timers the other worker has to fire.
inline void sleep_beside_long_poll(benchmark::State& state, const licit::scheduler_options& options) {
  std::vector<double> late;
  std::ptrdiff_t same = 0;
  measure(state, options, beside + 1, [&](licit::scheduler& all) {
    long_poll_round its;
    all.spawn(its.run()).get();
    its.wait_into(late);
    same += its.set_by_same();
  });
  report_lateness(state, late);
  if (same == 0) state.SkipWithError("the worker that was in the poll had set no timer");
}

/// As `idle`, with a thousand timers that are an hour away.
inline void idle_with_timers(benchmark::State& state, const licit::scheduler_options& options) {
  licit::scheduler all(options);
  thread_counters sum;
  for (std::uint32_t i = 0; i != 1'000; ++i) {
    all.spawn([]() -> licit::task<> { co_await licit::sleep_for(std::chrono::hours{1}); }).detach();
  }
  for (auto _ : state) {
    until_asleep(all);
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const thread_counters before = thread_counters::of_threads_named(options.thread_name);
    std::this_thread::sleep_for(std::chrono::seconds{1});
    sum += thread_counters::of_threads_named(options.thread_name) - before;
  }
  report_switches(state, sum);
  refuse_wake_ups(state, sum);
}

}  // namespace licit_bench

#endif
