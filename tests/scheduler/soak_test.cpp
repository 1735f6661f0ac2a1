// Schedulers that start, run all kinds of tasks, and stop, again and again: each task is accounted for.
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::scheduler;
using licit::shutdown_kind;
using licit::task;
using licit::waker;

/// A lost wake-up shows as a hang: before ctest ends the test, this prints who sleeps beside what.
class watchdog {
 public:
  watchdog(const licit::scheduler& watched, std::chrono::seconds most)
      : thread_{[this, &watched, most] {
          std::unique_lock lock(mutex_);
          if (over_.wait_for(lock, most, [this] { return done_; })) return;
          std::fputs(licit::text_table(watched.metrics()).c_str(), stderr);
          std::fputs("the test hangs\n", stderr);
          std::abort();
        }} {}
  ~watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_all();
    thread_.join();
  }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

/// Of one foreign thread in one round; LICIT_SOAK_TASKS is another number.
std::uint64_t tasks_of_a_thread() {
  const char* const told = std::getenv("LICIT_SOAK_TASKS");
  return told == nullptr ? 1500 : std::stoull(told);
}

/// What became of the tasks.
struct ledger {
  std::atomic<std::int64_t> alive = 0;  ///< callables and frames that hold a mark
  std::atomic<std::uint64_t> refused = 0;
  std::atomic<std::uint64_t> values = 0;
  std::atomic<std::uint64_t> exceptions = 0;
  std::atomic<std::uint64_t> cancelled = 0;
  std::atomic<std::uint64_t> told = 0;  ///< exceptions that nobody asked for
};

class mark {
 public:
  explicit mark(ledger& of) : of_{&of} { ++of_->alive; }
  mark(mark&& o) noexcept : of_{std::exchange(o.of_, nullptr)} {}
  mark(const mark& o) : of_{o.of_} { ++of_->alive; }
  mark& operator=(mark) = delete;
  ~mark() {
    if (of_ != nullptr) --of_->alive;
  }

 private:
  ledger* of_;
};

/// Where suspended tasks leave their wakers; whoever leaves one wakes another.
class exchange {
 public:
  void swap(waker mine) {
    waker other;
    {
      const std::lock_guard lock(mutex_);
      other = std::exchange(kept_, std::move(mine));
    }
    other.wake();
  }
  void wake_last() { swap({}); }

 private:
  std::mutex mutex_;
  waker kept_;
};

struct thrown {};

/// The kinds of tasks. Each says 1, throws, or is cancelled.
class workload {
 public:
  workload(ledger& all, exchange& wakers) : all_{all}, wakers_{wakers} {}

  /// Into the scheduler, as a task of a random kind.
  join_handle<int> start(licit::executor& to, std::uint32_t random) {
    switch (random % 7) {
      case 0: return licit::spawn(to, [held = mark(all_)] { return 1; });
      case 1: return licit::spawn(to, [held = mark(all_)]() -> int { throw thrown{}; });
      case 2:
        return licit::spawn(to, [held = mark(all_), random] {
          std::this_thread::sleep_for(std::chrono::microseconds(random / 7 % 20));
          return 1;
        });
      case 3: return licit::spawn(to, yields(mark(all_), random / 7 % 5));
      case 4: return licit::spawn(to, [held = mark(all_), this, random] { return waits(random / 7); });
      case 5: return licit::spawn(to, suspends(mark(all_)));
      default: return licit::spawn(to, parent(mark(all_), random / 7));
    }
  }

  /// What its task came to.
  void settle(join_handle<int> h) {
    try {
      all_.values += static_cast<std::uint64_t>(h.get());
    } catch (const thrown&) {
      ++all_.exceptions;
    } catch (const licit::executor_closed&) {  // it could not spawn its children
      ++all_.exceptions;
    } catch (const licit::task_cancelled&) {
      ++all_.cancelled;
    }
  }

 private:
  static task<int> yields(mark /*held*/, std::uint32_t times) {
    for (std::uint32_t i = 0; i != times; ++i) co_await licit::yield_now();
    co_return 1;
  }
  /// Goes on when the next comes by.
  task<int> suspends(mark /*held*/) {
    bool left = false;
    co_await licit::suspend_with([&](waker w) {
      if (!std::exchange(left, true)) wakers_.swap(std::move(w));
    });
    co_return 1;
  }
  task<int> parent(mark /*held*/, std::uint32_t random) {
    std::vector<join_handle<int>> children;
    for (std::uint32_t i = 0; i != random % 4; ++i) children.push_back(licit::spawn(yields(mark(all_), i)));
    int sum = 1 - static_cast<int>(children.size());
    for (auto& c : children) sum += co_await c;
    if (random % 11 == 0) throw thrown{};
    co_return sum;
  }
  /// Blocks its worker, where that may be.
  int waits(std::uint32_t random) {
    auto child = licit::spawn(yields(mark(all_), random % 3));
    try {
      return child.get();
    } catch (const std::system_error& e) {
      if (e.code() != std::errc::resource_deadlock_would_occur) throw;
      return 1;
    }
  }

  ledger& all_;
  exchange& wakers_;
};

void foreign(licit::executor& to, workload& work, ledger& all, std::uint32_t seed) {
  std::minstd_rand random(seed);
  std::vector<join_handle<int>> handles;
  for (std::uint64_t i = 0; i != tasks_of_a_thread(); ++i) {
    const auto kind = static_cast<std::uint32_t>(random());
    try {
      auto h = work.start(to, kind);
      if (kind % 13 == 0) h.request_stop();
      if (kind % 17 != 0) handles.push_back(std::move(h));
    } catch (const licit::executor_closed&) {
      ++all.refused;
    }
    if (handles.size() > 64) {
      work.settle(std::move(handles.front()));
      handles.erase(handles.begin());
    }
  }
  for (auto& h : handles) work.settle(std::move(h));
}

void round(licit::scheduler_options options, std::uint32_t seed, bool early) {
  ledger all;
  exchange wakers;
  workload work(all, wakers);
  options.on_unobserved = [&](const std::exception_ptr& /*thrown*/) { ++all.told; };
  licit::shutdown_report report;
  licit::scheduler_snapshot last;
  {
    scheduler runs(options);
    const watchdog guard(runs, std::chrono::seconds(100));
    std::atomic<int> left = 3;
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i != 3; ++i) {
      threads.emplace_back([&, i] {
        foreign(runs.as_executor(), work, all, seed + i);
        --left;
      });
    }
    if (early) {
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      report = runs.shutdown(shutdown_kind::cancel);
    }
    while (left != 0) {  // somebody must come by for the last that suspends
      wakers.wake_last();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    for (auto& t : threads) t.join();
    wakers.wake_last();
    if (!early) {
      while (!report.complete() || report.finished == 0) {
        report = runs.shutdown(shutdown_kind::drain, std::chrono::milliseconds(2));
        wakers.wake_last();
      }
    }
    last = runs.metrics();
  }
  const auto counts = last.total().counts;
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.finished, counts.finished + counts.threw);
  EXPECT_EQ(report.cancelled, counts.cancelled);
  EXPECT_EQ(report.finished + report.cancelled, last.spawned_outside + counts.spawned);
  EXPECT_EQ(last.spawned_outside + all.refused, 3 * tasks_of_a_thread());
  EXPECT_EQ(all.told, last.unobserved_exceptions);
  EXPECT_EQ(all.alive, 0);
  EXPECT_LE(all.exceptions + all.told, counts.threw);
  EXPECT_TRUE(early || all.values != 0);
}

void soak(std::size_t workers) {
  std::uint32_t seed = 2026;
  licit_test::each_kind({workers}, [&](licit::scheduler_options options) {
    options.local_capacity = 16;  // overflows
    for (const bool early : {false, true, false}) round(options, seed += 10, early);
  });
}

TEST(Soak, TwoWorkers) { soak(2); }
TEST(Soak, FourWorkers) { soak(4); }
TEST(Soak, EightWorkers) { soak(8); }

/// Larger than what else a task needs.
using block = std::array<char, 1024>;

// Finished tasks that nobody waits for keep no memory. Before the end the resource has blocks of the queues out, and at
// most 8/3 slots of 8 bytes for each of the tasks that were alive at once; at the end nothing.
TEST(Soak, MemoryFollowsTheTasksThatAreAlive) {
  licit_test::each_kind({2}, [](const licit::scheduler_options& usual) {
    licit_test::shared_memory memory;
    licit::scheduler_options options = usual;
    options.memory = &memory;
    const std::uint64_t tasks = tasks_of_a_thread() * 20;
    constexpr std::uint64_t at_once = 20'000;
    constexpr std::size_t queues = 200'000;
    {
      scheduler all(options);
      const watchdog not_for_ever(all, std::chrono::minutes(10));
      std::atomic<std::uint64_t> alive = 0;
      const auto one = [&alive]() -> task<block> {
        --alive;
        co_return block{};
      };
      const auto run = [&](std::uint64_t number, std::uint64_t most) {
        for (std::uint64_t i = 0; i != number; ++i) {
          licit_test::await([&] { return alive < most; });
          ++alive;
          all.spawn(one).detach();
        }
        licit_test::await([&] { return all.metrics().total().counts.finished == all.metrics().spawned_outside; });
      };
      run(at_once, at_once);
      const std::size_t held = memory.live_bytes();
      EXPECT_LE(held, queues + at_once * 8 / 3 * sizeof(void*));
      run(tasks, 200);  // one by one, as it were
      EXPECT_LE(memory.live_bytes(), held + queues);
    }
    EXPECT_EQ(memory.live_bytes(), 0U);
    EXPECT_EQ(memory.live(), 0);
  });
}

}  // namespace
