// Blocking pools: results, growth and idle threads, cancellation, shutdown, failures.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <pthread.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::blocking_handle;
using licit::blocking_options;
using licit::blocking_pool;
using licit::join_handle;
using licit::scheduler;
using licit::shutdown_kind;
using licit::task;
using licit_test::await;
using licit_test::gate;
using std::chrono::milliseconds;

std::string name_of_this_thread() {
  std::string name(16, '\0');
  (void)pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.c_str();
}

TEST(Blocking, GivesBackWhatTheCallReturnsOrThrows) {
  scheduler all{{.workers = 2}};
  const auto body = []() -> task<int> {
    int n = 0;
    const int sum = co_await licit::run_blocking([](int a, int b) { return a + b; }, 1, 2);
    co_await licit::run_blocking([&n] { ++n; });
    int& same = co_await licit::run_blocking([&n]() -> int& { return n; });
    auto moves = [p = std::make_unique<int>(4)]() mutable { return std::move(p); };
    auto owned = co_await licit::run_blocking(std::move(moves));
    try {
      co_await licit::run_blocking([] { throw 5; });
    } catch (int thrown) {
      co_return sum + same + *owned + thrown;
    }
    co_return 0;
  };
  EXPECT_EQ(all.spawn(body).get(), 13);
  EXPECT_EQ(all.block_on(body), 13);
  auto handle = licit::spawn_blocking([] { return 6; });
  EXPECT_EQ(handle.get(), 6);
  EXPECT_TRUE(handle.done());
}

TEST(Blocking, IsDoneByNamedThreadsThatAreNoWorkers) {
  blocking_pool pool{{.threads = 1, .name = "a-name-that-is-too-long"}};
  scheduler all{{.workers = 1}};
  EXPECT_EQ(pool.threads(), 0U) << "none before there is a call";
  all.spawn([&pool]() -> task<> {
       const std::thread::id worker = std::this_thread::get_id();
       co_await pool.run([worker] {
         EXPECT_NE(std::this_thread::get_id(), worker);
         EXPECT_EQ(licit::current_executor(), nullptr);
#if defined(__linux__)
         EXPECT_EQ(name_of_this_thread(), "a-name-that-i-0");
#endif
       });
     })
      .get();
  EXPECT_EQ(pool.spawn([&all] { return all.block_on([]() -> task<int> { co_return 3; }); }).get(), 3)
      << "it may wait for tasks";
}

TEST(Blocking, GrowsToTheLimitAndShrinks) {
  blocking_pool pool{{.threads = 3, .idle = milliseconds(5)}};
  gate stop;
  std::vector<blocking_handle<void>> calls;
  for (int i = 0; i != 10; ++i) calls.push_back(pool.spawn([&stop] { stop.pass(); }));
  stop.await_arrivals(3);
  EXPECT_EQ(pool.threads(), 3U);
  stop.open();
  for (auto& each : calls) each.get();
  await([&] { return pool.threads() == 0; });
  EXPECT_EQ(pool.spawn([] { return 1; }).get(), 1) << "and starts again";
}

/// In a call, keeps its thread from ending until the gate is open.
class ends_at {
 public:
  explicit ends_at(gate& when) : when_(when) {}
  ~ends_at() {
    when_.pass();
    ++ended;
  }
  ends_at(const ends_at&) = delete;
  ends_at& operator=(const ends_at&) = delete;

  static inline std::atomic<int> ended = 0;

 private:
  gate& when_;
};

TEST(Blocking, AShutdownWaitsUntilWhatIsLocalToTheThreadsIsGone) {
  ends_at::ended = 0;
  gate last;
  gate stop;
  blocking_pool pool{{.threads = 8, .idle = milliseconds(0)}};
  for (int i = 0; i != 8; ++i) {
    (void)pool.spawn([&] {
      thread_local const ends_at end(last);
      stop.pass();
    });
  }
  stop.await_arrivals(8);
  stop.open();
  last.await_arrivals(4);  // others may wait for these
  std::thread later([&last] { last.open(); });
  (void)pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(ends_at::ended, 8);
  later.join();
}

#if defined(__linux__)
/// How many mappings of the process have this size, within a few pages.
std::size_t mappings_of(std::size_t bytes) {
  std::ifstream maps("/proc/self/maps");
  std::size_t number = 0;
  for (std::string line; std::getline(maps, line);) {
    std::size_t begin = 0;
    std::size_t end = 0;
    char dash = 0;
    std::istringstream(line) >> std::hex >> begin >> dash >> end;
    constexpr std::size_t slack = std::size_t{64} << 10;
    if (end - begin <= bytes + slack && end - begin + slack >= bytes) ++number;
  }
  return number;
}

/// Threads that have ended keep no stacks, though no call comes after them. These end at once. The C library keeps
/// some stacks for threads to come.
TEST(Blocking, ThreadsThatHaveEndedAreForgotten) {
  if (licit_test::scale < 80) GTEST_SKIP() << "the memory is that of a sanitizer or of an emulator, too";
  constexpr std::size_t number = 100;
  constexpr std::size_t stack = std::size_t{3} << 20;
  gate last;
  gate stop;
  blocking_pool pool{{.threads = number, .idle = milliseconds(0), .stack_bytes = stack}};
  const std::size_t before = mappings_of(stack);
  std::vector<blocking_handle<void>> calls;
  for (std::size_t i = 0; i != number; ++i) {
    calls.push_back(pool.spawn([&] {
      thread_local const ends_at end(last);
      stop.pass();
    }));
  }
  stop.await_arrivals(number);
  ASSERT_GE(mappings_of(stack), before + number * 3 / 4) << "neighbours may be one";
  stop.open();
  for (auto& each : calls) each.get();
  await([&] { return pool.threads() == 0; });
  last.open();
  await([&] { return mappings_of(stack) < before + number / 2; });
}
#endif

TEST(Blocking, MetricsSayWhatThePoolIsAt) {
  using licit::blocking_snapshot;
  blocking_pool pool{{.threads = 2, .idle = std::chrono::hours(1)}};
  EXPECT_EQ(pool.metrics(), blocking_snapshot{});
  gate stop;
  std::vector<blocking_handle<void>> calls;
  for (int i = 0; i != 5; ++i) calls.push_back(pool.spawn([&stop] { stop.pass(); }));
  stop.await_arrivals(2);
  EXPECT_EQ(pool.metrics(), (blocking_snapshot{.queued = 3, .running = 2, .threads = 2}));
  EXPECT_TRUE(calls.back().cancel());
  EXPECT_EQ(pool.metrics().queued, 3U) << "it is in line until it is its turn";
  stop.open();
  const blocking_snapshot then{.finished = 4, .cancelled = 1, .threads = 2};
  await([&] { return pool.metrics() == then; });
  (void)pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(pool.metrics(), (blocking_snapshot{.finished = 4, .cancelled = 1}));
}

TEST(Blocking, MetricsHaveCountedACallBeforeItsHandleHasTheResult) {
  blocking_pool pool{{.threads = 2}};
  for (std::uint64_t made = 1; made <= 2000; ++made) {
    pool.spawn([] {}).get();
    ASSERT_EQ(pool.metrics().finished, made);
    ASSERT_EQ(pool.metrics().running, 0U);
  }
}

/// A thread comes to wait a moment after its call has its result. Until one has, calls start others.
TEST(Blocking, AnIdleThreadIsTakenFirst) {
  constexpr std::size_t most = 64;
  blocking_pool pool{{.threads = most}};
  for (std::size_t before = most + 1; before != pool.threads();) {
    before = pool.threads();
    pool.spawn([] {}).get();
  }
  EXPECT_LT(pool.threads(), most) << "a new thread for each call";
}

/// A call that comes too late is in no report.
TEST(Blocking, EachShutdownWithoutALimitIsComplete) {
  for (int round = 0; round != 20; ++round) {
    blocking_pool pool{{.threads = 2}};
    std::atomic<bool> stop = false;
    std::atomic<bool> spawns = false;
    std::jthread late([&] {
      while (!stop) {
        try {
          (void)pool.spawn([] {});
        } catch (const licit::executor_closed&) {
        }
        spawns = true;
      }
    });
    licit_test::await([&] { return spawns.load(); });
    for (int i = 0; i != 100; ++i) EXPECT_TRUE(pool.shutdown(shutdown_kind::cancel).complete());
    stop = true;
  }
}

TEST(Blocking, WhatHasNotBegunCanBeCancelled) {
  blocking_pool pool{{.threads = 1}};
  gate stop;
  std::atomic<int> alive = 0;
  auto first = pool.spawn([&stop] { stop.pass(); });
  stop.await_arrivals(1);
  auto second = pool.spawn([mine = licit_test::counts_itself(alive)] { ADD_FAILURE() << "was cancelled"; });
  EXPECT_FALSE(first.cancel());
  EXPECT_TRUE(second.cancel());
  EXPECT_FALSE(second.cancel());
  EXPECT_EQ(alive, 0) << "the callable is gone at once";
  EXPECT_THROW(second.get(), licit::task_cancelled);
  stop.open();
  first.get();
  const auto report = pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(report.finished, 1U);
  EXPECT_EQ(report.cancelled, 1U);
  EXPECT_TRUE(report.complete());
}

TEST(Blocking, ACoroutineThatIsCancelledDoesNotWaitForItsCall) {
  blocking_pool pool{{.threads = 1}};
  scheduler all{{.workers = 2}};
  auto stop = std::make_shared<gate>();
  std::atomic<int> alive = 0;
  std::atomic<int> made = 0;
  const auto body = [&pool, &made, stop, &alive]() -> task<> {
    const licit_test::counts_itself in_frame(alive);
    auto call = [&made, stop] {
      ++made;
      stop->pass();
    };
    co_await pool.run(std::move(call));
  };
  auto first = all.spawn(body);
  stop->await_arrivals(1);
  auto second = all.spawn(body);
  await([&] { return alive == 2 && pool.metrics().queued == 1; });
  second.request_stop();
  first.request_stop();
  EXPECT_THROW(first.get(), licit::task_cancelled);
  EXPECT_THROW(second.get(), licit::task_cancelled);
  EXPECT_EQ(alive, 0) << "frames are gone while the first call is being made";
  stop->open();
  const auto report = pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(made, 1) << "the second had not begun";
  EXPECT_EQ(report.finished, 1U);
  EXPECT_EQ(report.cancelled, 1U);
}

TEST(Blocking, AShutdownDrainsOrDropsAndReports) {
  for (const shutdown_kind kind : {shutdown_kind::drain, shutdown_kind::cancel}) {
    blocking_pool pool{{.threads = 2}};
    gate stop;
    std::vector<blocking_handle<int>> calls;
    for (int i = 0; i != 10; ++i) {
      calls.push_back(pool.spawn([&stop] {
        stop.pass();
        return 1;
      }));
    }
    stop.await_arrivals(2);
    auto early = pool.shutdown(kind, milliseconds(1));
    EXPECT_FALSE(early.complete()) << "threads block";
    EXPECT_EQ(early.left, kind == shutdown_kind::drain ? 10U : 2U);
    EXPECT_THROW((void)pool.spawn([] {}), licit::executor_closed);
    stop.open();
    const auto report = pool.shutdown(kind);
    EXPECT_TRUE(report.complete());
    int finished = 0;
    int cancelled = 0;
    for (auto& each : calls) {
      try {
        finished += each.get();
      } catch (const licit::task_cancelled&) {
        ++cancelled;
      }
    }
    EXPECT_EQ(report.finished, static_cast<std::uint64_t>(finished));
    EXPECT_EQ(report.cancelled, static_cast<std::uint64_t>(cancelled));
    EXPECT_EQ(finished, kind == shutdown_kind::drain ? 10 : 2);
    EXPECT_EQ(finished + cancelled, 10);
    EXPECT_EQ(pool.threads(), 0U);
  }
}

/// While one shutdown destroys what it has dropped, another one's report has it as cancelled.
TEST(Blocking, AShutdownCountsWhatAnotherDrops) {
  blocking_pool pool{{.threads = 1}};
  gate running;
  gate destroyed;
  struct dropped {
    explicit dropped(gate* g) : by{g} {}
    dropped(dropped&& other) noexcept : by{std::exchange(other.by, nullptr)} {}
    dropped& operator=(dropped&&) = delete;
    ~dropped() {
      if (by != nullptr) by->pass();
    }
    void operator()() const {}
    gate* by;
  };
  const auto first = pool.spawn([&] { running.pass(); });
  running.await_arrivals(1);
  const auto second = pool.spawn(dropped(&destroyed));
  const auto third = pool.spawn([] {});
  std::jthread other([&] { EXPECT_TRUE(pool.shutdown(shutdown_kind::cancel).complete()); });
  destroyed.await_arrivals(1);
  running.open();
  const auto report = pool.shutdown(shutdown_kind::cancel);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.finished, 1U);
  EXPECT_EQ(report.cancelled, 2U);
  destroyed.open();
}

TEST(Blocking, TheDestructorWaitsForWhatIsBeingMade) {
  std::atomic<bool> ended = false;
  gate stop;
  {
    blocking_pool pool;
    (void)pool.spawn([&] {
      stop.pass();
      std::this_thread::sleep_for(milliseconds(5));
      ended = true;
    });
    stop.await_arrivals(1);
    stop.open();
  }
  EXPECT_TRUE(ended);
}

TEST(Blocking, RefusesWhatWouldHang) {
  blocking_pool pool{{.threads = 1}};
  scheduler all{{.workers = 1}};
  EXPECT_TRUE(pool.spawn([&pool] {
                    try {
                      pool.shutdown(shutdown_kind::drain);
                    } catch (const std::logic_error&) {
                      return true;
                    }
                    return false;
                  })
                  .get());
  all.spawn([&pool] { EXPECT_THROW(pool.spawn([] {}).get(), std::system_error); }).get();
  EXPECT_THROW(blocking_pool(blocking_options{.threads = 0}), std::invalid_argument);
  EXPECT_THROW(blocking_pool(blocking_options{.idle = milliseconds(-1)}), std::invalid_argument);
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(Blocking, ACallForWhichNoThreadCanBeStartedFails) {
  if (licit_test::emulated) GTEST_SKIP() << "an emulator maps such a stack, and is killed";
  blocking_pool pool{{.threads = 2, .stack_bytes = std::size_t{1} << 46}};
  auto call = pool.spawn([] { ADD_FAILURE() << "there is no thread"; });
  EXPECT_THROW(call.get(), std::system_error);
  const auto report = pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(report.cancelled, 1U);
  EXPECT_TRUE(report.complete());
}
#endif

TEST(Blocking, AShutdownOfTheSchedulerLeavesCallsToThePool) {
  gate stop;
  blocking_pool pool;
  {
    scheduler all{{.workers = 2}};
    all.spawn([&]() -> task<> {
         auto call = [&stop] { stop.pass(); };
         co_await pool.run(std::move(call));
       })
        .detach();
    stop.await_arrivals(1);
    EXPECT_EQ(all.shutdown(shutdown_kind::cancel).cancelled, 1U);
  }
  stop.open();
  EXPECT_EQ(pool.shutdown(shutdown_kind::drain).finished, 1U);
}

TEST(Blocking, EveryCallIsMadeOnceWhileThreadsComeAndGo) {
  for (const auto idle : {std::chrono::nanoseconds(0), std::chrono::nanoseconds(milliseconds(1))}) {
    blocking_pool pool{{.threads = 4, .idle = idle}};
    scheduler all{{.workers = 2}};
    std::atomic<int> made = 0;
    const std::jthread looks([&pool](const std::stop_token& ends) {
      for (std::uint64_t before = 0; !ends.stop_requested();) {
        const licit::blocking_snapshot now = pool.metrics();
        const std::uint64_t sum = now.queued + now.running + now.finished + now.cancelled;
        ASSERT_GE(sum, before);
        for (const std::uint64_t part : {now.queued, now.running, now.finished, now.cancelled}) ASSERT_LE(part, sum);
        before = sum;
      }
    });
    std::vector<join_handle<void>> tasks;
    for (int i = 0; i != 8; ++i) {
      tasks.push_back(all.spawn([&]() -> task<> {
        for (int n = 0; n != 200; ++n) {
          auto call = [&made] { return ++made; };
          (void)co_await pool.run(call);
          if (n % 16 == 0) (void)pool.spawn(call);  // and nobody waits
        }
      }));
    }
    for (auto& each : tasks) each.get();
    const auto report = pool.shutdown(shutdown_kind::drain);
    EXPECT_EQ(report.finished, 8U * (200 + 13));
    EXPECT_EQ(static_cast<std::uint64_t>(made), report.finished);
    EXPECT_EQ(report.cancelled, 0U);
  }
}

TEST(Blocking, CancellationsLoseNoCall) {
  blocking_pool pool{{.threads = 2, .idle = std::chrono::nanoseconds(0)}};
  scheduler all{{.workers = 2}};
  std::atomic<int> made = 0;
  int asked = 0;
  for (int round = 0; round != 200; ++round) {
    std::vector<join_handle<int>> tasks;
    for (int i = 0; i != 4; ++i, ++asked) {
      tasks.push_back(all.spawn([&]() -> task<int> {
        auto call = [&made] { return ++made; };
        co_return co_await pool.run(call);
      }));
    }
    for (std::size_t i = 0; i != 4; i += 2) tasks[i].request_stop();
    for (std::size_t i = 1; i < 4; i += 2) EXPECT_GT(tasks[i].get(), 0);
  }
  const auto report = pool.shutdown(shutdown_kind::drain);
  EXPECT_EQ(report.finished, static_cast<std::uint64_t>(made));
  EXPECT_LE(report.finished + report.cancelled, static_cast<std::uint64_t>(asked))
      << "some tasks were cancelled before they asked";
  EXPECT_GE(report.finished, 400U);
}

}  // namespace
