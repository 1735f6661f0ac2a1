// Where tasks run: bound to a worker, without stealing, many at once.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/counted.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::await;
using licit_test::counts_itself;
using licit_test::each_kind;
using licit_test::gate;

constexpr std::size_t nobody = 1000;
thread_local std::size_t self = nobody;

/// The tasks can tell which worker they are on.
scheduler_options numbered(scheduler_options options) {
  options.on_thread_start = [](std::size_t worker) { self = worker; };
  return options;
}

// --- bound to a worker

TEST(Bound, ATaskRunsOnItsWorkerOnly) {
  each_kind([](scheduler_options options) {
    scheduler all(numbered(options));
    std::vector<licit::join_handle<std::size_t>> ran;
    for (std::size_t i = 0; i != 500; ++i) {
      ran.push_back(all.spawn_on(i % options.workers, [] { return self; }));
      all.spawn([] {}).detach();
    }
    for (std::size_t i = 0; i != ran.size(); ++i) EXPECT_EQ(ran[i].get(), i % options.workers);
    EXPECT_TRUE(all.shutdown().complete());
    EXPECT_EQ(all.metrics().total().counts.bound_polls, 500U);
    EXPECT_EQ(all.metrics().total().local_depth, 0U);
  });
}

// Each is alone in a scheduler whose workers all sleep.
TEST(Bound, ASleepingWorkerIsWokenForItsTask) {
  each_kind({1, 4, 40}, [](scheduler_options options) {
    scheduler all(numbered(options));
    for (std::size_t i = 0; i != 200; ++i) {
      EXPECT_EQ(all.spawn_on(i % options.workers, [] { return self; }).get(), i % options.workers);
      if (i % 8 == 0) await([&] { return all.metrics().parked == options.workers; });
    }
  });
}

TEST(Bound, ACoroutineGoesOnWhereItBegan) {
  each_kind({4}, [](scheduler_options options) {
    scheduler all(numbered(options));
    const auto stays = [&all](std::size_t here) -> task<int> {
      int elsewhere = 0;
      for (int i = 0; i != 50; ++i) {
        elsewhere += self == here ? 0 : 1;
        co_await licit::yield_now();
        elsewhere += self == here ? 0 : 1;
        co_await all.spawn_on((here + 1) % 4, [] {});
        elsewhere += self == here ? 0 : 1;
        co_await licit::spawn([] { std::this_thread::yield(); });
      }
      co_return elsewhere;
    };
    std::vector<licit::join_handle<int>> four;
    for (std::size_t i = 0; i != 4; ++i) four.push_back(all.spawn_on(i, stays(i)));
    for (auto& one : four) EXPECT_EQ(one.get(), 0);
  });
}

TEST(Bound, BoundTasksHaveEveryOtherTurn) {
  for (const licit::local_order order : {licit::local_order::fifo, licit::local_order::lifo}) {
    scheduler all({.workers = 1, .order = order, .lifo_in_a_row = 0, .interval = {.fixed = 60000}});
    std::string ran;
    all.spawn([&] {
      for (int i = 0; i != 20; ++i) {
        licit::spawn([&] { ran += 'l'; });
        all.spawn_on(0, [&] { ran += 'b'; });
      }
    });
    EXPECT_EQ(all.shutdown().finished, 41U);
    ASSERT_EQ(ran.size(), 40U);
    for (std::size_t i = 1; i != ran.size(); ++i) EXPECT_NE(ran[i], ran[i - 1]) << ran;
  }
}

TEST(Bound, AnotherWorkerThanThereIsIsRefused) {
  scheduler all({.workers = 2});
  std::atomic<int> alive = 0;
  for (const std::size_t worker : {std::size_t{2}, std::size_t{4096}, ~std::size_t{0}}) {
    EXPECT_THROW(all.spawn_on(worker, [c = counts_itself(alive)] {}), std::out_of_range);
  }
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(all.shutdown().finished, 0U);
}

/// Suspended until somebody wakes it.
task<> sleeps(licit::waker& to) {
  co_await licit::suspend_with([&to](licit::waker mine) { to = std::move(mine); });
}

TEST(Bound, AWaitForWhatTheSameWorkerMustContinueIsADeadlock) {
  scheduler all({.workers = 2});
  licit::waker wakes;
  auto sleeper = all.spawn_on(0, sleeps(wakes));
  auto waits = all.spawn_on(0, [&] {
    EXPECT_THROW(sleeper.get(), std::system_error);
    EXPECT_FALSE(sleeper.wait_for(std::chrono::milliseconds(1)));
    all.spawn_on(0, [] {}).get();                       // has not begun, and runs in place
    return all.spawn_on(1, [] { return self; }).get();  // another's may be waited for
  });
  EXPECT_EQ(waits.get(), nobody);
  wakes.wake();
  sleeper.get();
}

// It has not begun, and is another worker's.
TEST(Bound, AWaitDoesNotMoveATask) {
  scheduler all(numbered({.workers = 2}));
  for (int i = 0; i != 100; ++i) {
    EXPECT_EQ(all.spawn_on(0, [&] { return all.spawn_on(1, [] { return self; }).get(); }).get(), 1U);
    EXPECT_EQ(all.spawn_on(0, [&] { return all.spawn_on(0, [] { return self; }).get(); }).get(), 0U);
  }
}

TEST(Bound, ShutdownCountsBoundTasks) {
  each_kind({2}, [](scheduler_options options) {
    scheduler all(options);
    gate here;
    std::vector<licit::waker> wakers(2);
    for (std::size_t i = 0; i != 2; ++i) {
      all.spawn_on(i,
                   [](licit::waker& w) -> task<> {
                     co_await licit::suspend_with([&w](licit::waker mine) { w = std::move(mine); });
                   }(wakers[i]))
          .detach();
    }
    await([&] { return all.metrics().total().counts.polls >= 2; });
    for (std::size_t i = 0; i != 2; ++i) all.spawn_on(i, [&] { here.pass(); }).detach();
    here.await_arrivals(2);
    for (std::size_t i = 0; i != 10; ++i) all.spawn_on(i % 2, [] { ADD_FAILURE() << "it ran"; }).detach();
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      here.open();
    });
    const auto report = all.shutdown(licit::shutdown_kind::cancel);
    opener.join();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.finished, 2U);
    EXPECT_EQ(report.cancelled, 12U);
  });
}

// --- without stealing

/// A tree of tasks: how many ran on another worker than their parent.
task<int> strays(scheduler& all, std::size_t parent, int depth) {
  const std::size_t here = self;
  int strange = here == parent ? 0 : 1;
  if (depth == 0) co_return strange;
  auto left = licit::spawn(strays(all, here, depth - 1));
  auto right = licit::spawn(strays(all, here, depth - 1));
  strange += co_await left;
  strange += co_await right;
  co_return strange + (self == here ? 0 : 1);
}

TEST(WithoutStealing, TasksStayWithTheWorkerThatSpawnedThem) {
  each_kind([](scheduler_options options) {
    options.stealing = false;
    scheduler all(numbered(options));
    std::vector<licit::join_handle<std::pair<std::size_t, int>>> roots;
    for (std::size_t i = 0; i != 2 * options.workers; ++i) {
      roots.push_back(all.spawn([](scheduler& s) -> task<std::pair<std::size_t, int>> {
        const std::size_t here = self;
        const int strange = co_await strays(s, here, 6);
        co_return std::pair(here, strange);
      }(all)));
    }
    std::multiset<std::size_t> on;
    for (auto& root : roots) {
      const auto [here, strange] = root.get();
      EXPECT_EQ(strange, 0);
      on.insert(here);
    }
    for (std::size_t i = 0; i != options.workers; ++i) EXPECT_EQ(on.count(i), 2U) << "in turn";
    EXPECT_TRUE(all.shutdown().complete());
    const auto counts = all.metrics().total().counts;
    EXPECT_EQ(counts.items_stolen + counts.slots_stolen + counts.items_from_inject + counts.steals_tried, 0U);
  });
}

TEST(WithoutStealing, EachWorkerIsWokenForItsOwn) {
  scheduler all(numbered({.workers = 4, .stealing = false}));
  for (int i = 0; i != 400; ++i) {
    std::vector<licit::join_handle<std::size_t>> one_each;
    for (int w = 0; w != 4; ++w) one_each.push_back(all.spawn([] { return self; }));
    std::set<std::size_t> on;
    for (auto& one : one_each) on.insert(one.get());
    EXPECT_EQ(on.size(), 4U);
  }
}

TEST(WithoutStealing, AWaitInATaskThatWouldBlockIsRefused) {
  scheduler all({.workers = 2, .stealing = false});
  licit::waker wakes;
  auto sleeper = all.spawn(sleeps(wakes));
  all.spawn([&] {
       EXPECT_THROW(sleeper.get(), std::system_error);
       EXPECT_EQ(licit::spawn([] { return 3; }).get(), 3) << "what has not begun runs in place";
     })
      .get();
  all.spawn_on(0, [&] { wakes.wake(); }).detach();  // behind it, since the first from outside is worker 0's
  sleeper.get();
  EXPECT_TRUE(all.shutdown().complete());
}

// --- many at once

TEST(SpawnAll, TasksAreInTheOrderOfTheRange) {
  each_kind([](scheduler_options options) {
    scheduler all(options);
    std::vector<std::function<int()>> bodies;
    for (int i = 0; i != 1000; ++i) bodies.emplace_back([i] { return i; });
    auto handles = all.spawn_all(bodies);
    ASSERT_EQ(handles.size(), 1000U);
    for (int i = 0; i != 1000; ++i) EXPECT_EQ(handles[static_cast<std::size_t>(i)].get(), i);
    EXPECT_EQ(bodies[7](), 7) << "an lvalue's are copied";
    int sum = 0;
    for (auto& each : all.spawn_n(300, [](std::size_t i) { return static_cast<int>(i); })) sum += each.get();
    EXPECT_EQ(sum, 299 * 300 / 2);
    EXPECT_TRUE(all.spawn_n(0, [](std::size_t) {}).empty());
  });
}

TEST(SpawnAll, ElementsMayBeMovedAndMayBeCoroutines) {
  scheduler all({.workers = 2});
  std::vector<task<int>> bodies;
  for (int i = 0; i != 20; ++i) {
    bodies.push_back([](int n) -> task<int> {
      co_await licit::yield_now();
      co_return n;
    }(i));
  }
  auto handles = all.spawn_all(std::move(bodies));
  for (int i = 0; i != 20; ++i) EXPECT_EQ(handles[static_cast<std::size_t>(i)].get(), i);
}

// Two tasks that wait for each other, among many: more than one worker gets them.
TEST(SpawnAll, WorkersAreWokenForAllOfIt) {
  each_kind({4}, [](scheduler_options options) {
    for (const bool in_task : {false, true}) {
      scheduler all(options);
      await([&] { return all.metrics().parked == 4; });
      std::atomic<int> there = 0;
      const auto meet = [&](std::size_t) {
        ++there;
        await([&] { return there == 3; });
      };
      if (in_task) {
        all.spawn([&] { licit::spawn_n(3, meet); }).get();
      } else {
        all.spawn_n(3, meet);
      }
      EXPECT_TRUE(all.shutdown().complete());
    }
  });
}

struct thrown {};

/// Throws in the copy that it is told, counted over all.
struct throws_when_copied {
  throws_when_copied(int& left, std::atomic<int>& ran, std::atomic<int>& alive)
      : left_{&left}, ran_{&ran}, alive_{alive} {}
  throws_when_copied(const throws_when_copied& o) : left_{o.left_}, ran_{o.ran_}, alive_{o.alive_} {
    if ((*left_)-- == 0) throw thrown();
  }
  throws_when_copied(throws_when_copied&&) noexcept = default;
  void operator()(std::size_t /*i*/) const { ++*ran_; }

 private:
  int* left_;
  std::atomic<int>* ran_;
  counts_itself alive_;
};

TEST(SpawnAll, AllOrNone) {
  each_kind({2}, [](scheduler_options options) {
    licit_test::shared_memory memory;
    options.memory = &memory;
    std::atomic<int> ran = 0;
    std::atomic<int> alive = 0;
    {
      scheduler all(options);
      for (int at = 0; at != 10; ++at) {
        int left = at;
        EXPECT_THROW(all.spawn_n(10, throws_when_copied(left, ran, alive)), thrown);
      }
      memory.failing = true;
      EXPECT_THROW(all.spawn_n(10, [&](std::size_t) { ++ran; }), std::bad_alloc);
      memory.failing = false;
      all.spawn([&] {
           int left = 5;
           EXPECT_THROW(licit::spawn_n(10, throws_when_copied(left, ran, alive)), thrown);
         })
          .get();
      EXPECT_EQ(all.shutdown().finished, 1U);
      EXPECT_THROW(all.spawn_n(3, [&](std::size_t) { ++ran; }), licit::executor_closed);
    }
    EXPECT_EQ(ran, 0);
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(memory.live(), 0);
  });
}

// The doors close between two admissions: what was admitted is cancelled, and counted.
TEST(SpawnAll, AShutdownMeanwhileLeavesNone) {
  for (int i = 0; i != 50; ++i) {
    scheduler all({.workers = 2});
    std::atomic<int> ran = 0;
    std::atomic<bool> begun = false;
    bool refused = false;
    std::thread spawner([&] {
      begun = true;
      try {
        all.spawn_n(2000, [&](std::size_t) { ++ran; });
      } catch (const licit::executor_closed&) {
        refused = true;
      }
    });
    await([&] { return begun.load(); });
    if (i % 2 == 0) std::this_thread::yield();
    const auto report = all.shutdown(licit::shutdown_kind::drain);
    spawner.join();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.finished, refused ? 0U : 2000U);
    EXPECT_EQ(ran, refused ? 0 : 2000);
  }
}

}  // namespace
