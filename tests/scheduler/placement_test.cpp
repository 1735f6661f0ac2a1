// Where tasks run: bound to a worker, without stealing, many at once, from one scheduler to another.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/idle/victims.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/items.hpp"
#include "support/scale.hpp"
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

// What was run in place leaves entries that a sweep takes out; they are no tasks that wait.
TEST(Bound, SweptEntriesAreNoDepth) {
  each_kind([](scheduler_options options) {
    options.stealing = false;
    scheduler all(options);
    all.spawn([]() -> task<> {
         for (int i = 0; i != 5000; ++i) co_await licit::spawn([] {});
       })
        .get();
    EXPECT_TRUE(all.shutdown().complete());
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
    std::atomic<int> running = 0;
    std::vector<licit::waker> wakers(2);
    for (std::size_t i = 0; i != 2; ++i) {
      all.spawn_on(i,
                   [](licit::waker& w) -> task<> {
                     co_await licit::suspend_with([&w](licit::waker mine) { w = std::move(mine); });
                   }(wakers[i]))
          .detach();
    }
    await([&] { return all.metrics().total().counts.polls >= 2; });
    const auto until_told = [&](const std::stop_token& stop) {  // by the shutdown
      ++running;
      await([&] { return stop.stop_requested(); });
    };
    for (std::size_t i = 0; i != 2; ++i) all.spawn_on(i, until_told).detach();
    await([&] { return running == 2; });
    for (std::size_t i = 0; i != 10; ++i) all.spawn_on(i % 2, [] { ADD_FAILURE() << "it ran"; }).detach();
    const auto report = all.shutdown(licit::shutdown_kind::cancel);
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

// Who does not steal is not woken for what is on offer: it would search in vain as long as that is there.
TEST(WithoutStealing, AJoinWakesNobody) {
  for (const licit::local_order order : {licit::local_order::fifo, licit::local_order::lifo}) {
    scheduler all({.workers = 2, .order = order, .stealing = false});
    await([&] { return all.metrics().parked == 2; });
    all.spawn([] {
         licit::join([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }, [] {});
         for (int i = 0; i != 1000; ++i) licit::join([] {}, [] {});
       })
        .get();
    EXPECT_EQ(all.metrics().workers[1].counts.wakes, 0U) << "the first task from outside is worker 0's";
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

TEST(SpawnAll, NoTaskOfItGoesThroughTheSlot) {
  scheduler all({.workers = 1});
  all.spawn([] { licit::spawn_n(20, [](std::size_t) {}); }).get();
  EXPECT_TRUE(all.shutdown().complete());
  EXPECT_EQ(all.metrics().total().counts.slot_hits, 0U) << "spawned one by one, the last would";
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

// --- stolen

/// The workers from which one worker steals, theft by theft, while each of the others stands with tasks in its queue.
std::vector<std::size_t> victims_of(std::uint64_t seed, std::size_t workers, std::size_t thefts, std::size_t& thief) {
  scheduler_options options{.workers = workers, .local_capacity = 256, .steal_at_most = 1, .seed = seed};
  scheduler all(numbered(options));
  gate full;
  gate end;
  std::vector<gate> first(workers);
  std::vector<std::size_t> victims;  // the thief's
  const auto stolen = [&](std::size_t from) {
    if (victims.size() == thefts) return;
    thief = self;
    victims.push_back(from);
    if (victims.size() == thefts) end.pass();
  };
  const auto has_tasks = [&] {
    for (std::size_t i = 0; i != thefts + 2; ++i) licit::spawn([&stolen, from = self] { stolen(from); }).detach();
    full.pass();
  };
  for (std::size_t i = 0; i != workers; ++i) {
    all.spawn([&, i] {
         first[i].pass();
         if (i != 0) has_tasks();
       })
        .detach();
    first[i].await_arrivals(1);
  }
  for (std::size_t i = 1; i != workers; ++i) first[i].open();
  full.await_arrivals(static_cast<int>(workers) - 1);
  first[0].open();  // its worker goes on, and is the thief
  end.await_arrivals(1);
  const std::vector<std::size_t> seen = victims;
  end.open();
  full.open();
  EXPECT_TRUE(all.shutdown().complete());
  return seen;
}

/// Whether a worker would steal so if it had searched in vain some times before.
bool follows_from(std::uint64_t seed, std::size_t workers, std::size_t thief, const std::vector<std::size_t>& seen) {
  licit::detail::victims<> others(thief, workers, seed);
  std::vector<std::size_t> firsts;
  for (int i = 0; i != 10'000; ++i) {
    others.visit([&](std::size_t victim) {
      firsts.push_back(victim);
      return true;
    });
  }
  return std::search(firsts.begin(), firsts.end(), seen.begin(), seen.end()) != firsts.end();  // clang 14 has no ranges
}

TEST(Seed, DeterminesFromWhomAWorkerSteals) {
  constexpr std::size_t workers = 8;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::size_t thief = nobody;
    const std::vector<std::size_t> seen = victims_of(seed, workers, 20, thief);
    for (const std::uint64_t other : {0U, 1U, 2U, 3U}) {
      EXPECT_EQ(follows_from(other, workers, thief, seen), other == seed) << seed << ", " << other;
    }
  }
}

// --- from one scheduler to another

/// The executor whose worker the calling coroutine is on.
licit::executor* here() { return licit::current_executor(); }

/// Suspends until another thread wakes it.
class door {
 public:
  auto pass() {
    return licit::suspend_with([this](licit::waker w) {
      const std::lock_guard lock(mutex_);
      waker_ = std::move(w);
      stands_ = true;
    });
  }
  [[nodiscard]] bool is_taken() {
    const std::lock_guard lock(mutex_);
    return stands_;
  }
  void open() {
    licit::waker w;
    {
      const std::lock_guard lock(mutex_);
      w = std::move(waker_);
    }
    w.wake();
  }

 private:
  std::mutex mutex_;
  licit::waker waker_;
  bool stands_ = false;
};

TEST(Hop, TheTaskGoesOnThereUntilItHopsAgain) {
  each_kind([](const scheduler_options& options) {
    scheduler one(options);
    scheduler two(options);
    door wait;
    auto ran = one.spawn([&]() -> task<std::vector<licit::executor*>> {
      std::vector<licit::executor*> where{here()};
      co_await two.schedule();
      where.push_back(here());
      co_await licit::yield_now();
      where.push_back(here());
      co_await licit::spawn([&] { where.push_back(here()); });
      co_await wait.pass();
      where.push_back(here());
      co_await one.schedule();
      where.push_back(here());
      co_return where;
    });
    await([&] { return wait.is_taken(); });
    one.spawn([&] { wait.open(); }).get();  // whoever wakes it
    licit::executor* const a = &one.as_executor();
    licit::executor* const b = &two.as_executor();
    EXPECT_EQ(ran.get(), (std::vector{a, b, b, b, b, a}));
    const auto first = one.shutdown();
    const auto second = two.shutdown();
    EXPECT_EQ(first.finished, 2U);  // the coroutine ended here
    EXPECT_EQ(second.finished, 1U);
    EXPECT_EQ(first.left + second.left, 0U);
    EXPECT_EQ(one.metrics().total().counts.moved, 1U);
    EXPECT_EQ(two.metrics().total().counts.moved, 1U);
    EXPECT_EQ(one.metrics().live_tasks(), 0U);
    EXPECT_EQ(two.metrics().live_tasks(), 0U);
  });
}

TEST(Hop, FromWithinAwaitedCoroutines) {
  scheduler one({.workers = 1});
  scheduler two({.workers = 1});
  const auto inner = [](scheduler& to) -> task<licit::executor*> {
    co_await to.schedule();
    co_return here();
  };
  auto both = one.spawn([&]() -> task<bool> {
    licit::executor* const there = co_await inner(two);
    co_return there == &two.as_executor() && here() == there;
  });
  EXPECT_TRUE(both.get());
}

/// clang before 16 takes the thread's id for a constant, and keeps it across a suspension.
[[gnu::noinline]] std::thread::id this_thread() {
  asm volatile("");
  return std::this_thread::get_id();
}

TEST(Hop, FromAThreadInBlockOn) {
  scheduler all({.workers = 1});
  const auto outside = this_thread();
  EXPECT_TRUE(all.block_on([&]() -> task<bool> {
    const bool before = this_thread() == outside;
    co_await all.schedule();
    const bool after = this_thread() != outside;
    co_await licit::yield_now();
    co_return before&& after&& this_thread() != outside;
  }));
  EXPECT_THROW(all.block_on([&]() -> task<> {
    co_await all.schedule();
    throw std::runtime_error("there");
  }),
               std::runtime_error);
  std::thread blocked([&] {
    EXPECT_THROW(all.block_on([&]() -> task<> {
      co_await all.schedule();
      for (;;) co_await licit::suspend_with([](const licit::waker& /*dropped*/) {});
    }),
                 licit::task_cancelled);
  });
  await([&] { return all.metrics().spawned_outside == 3 && all.metrics().parked == 1; });
  EXPECT_EQ(all.shutdown(licit::shutdown_kind::cancel).cancelled, 1U);
  blocked.join();
}

// By an executor that is no scheduler, and to one.
TEST(Hop, FromAndToAForeignExecutor) {
  scheduler all({.workers = 2});
  std::vector<licit::executor*> on;
  licit_test::thread_executor threads(1);
  licit::executor& foreign = threads;
  licit::spawn(foreign, [&]() -> task<> {
    on.push_back(here());
    co_await all.schedule();
    on.push_back(here());
    co_await foreign.schedule();
    on.push_back(here());
  }).get();
  EXPECT_EQ(on, (std::vector{&foreign, &all.as_executor(), &foreign}));
  EXPECT_EQ(all.shutdown().finished, 0U);
  EXPECT_EQ(all.metrics().total().counts.moved, 1U);
}

TEST(Hop, ToWhereTheTaskIsCostsOneOfTheBudget) {
  scheduler all({.workers = 1, .budget = 10});
  all.spawn([&]() -> task<> {
       for (int i = 0; i != 100; ++i) co_await all.schedule();
     })
      .get();
  EXPECT_EQ(all.metrics().total().counts.moved, 0U);
  EXPECT_EQ(all.metrics().total().counts.forced_yields, 9U);
}

TEST(Hop, OutsideOfACoroutineThatWasSpawnedIsAnError) {
  struct alone {
    struct promise_type {
      alone get_return_object() { return {}; }
      static std::suspend_never initial_suspend() { return {}; }
      static std::suspend_never final_suspend() noexcept { return {}; }
      void return_void() {}
      void unhandled_exception() { throw; }
    };
  };
  scheduler all({.workers = 1});
  const auto body = [](scheduler& to) -> alone { co_await to.schedule(); };
  EXPECT_THROW(body(all), std::logic_error);
  EXPECT_THROW(all.spawn([&] { body(all); }).get(), std::logic_error);
}

TEST(Hop, ARefusedTaskIsWhereItWas) {
  each_kind([](const scheduler_options& options) {
    for (const auto how : {licit::shutdown_kind::drain, licit::shutdown_kind::cancel}) {
      scheduler one(options);
      scheduler two(options);
      (void)two.shutdown(how);
      for (const bool bound : {false, true}) {
        const auto body = [&]() -> task<bool> {
          (void)co_await licit::get_stop_token();  // so that it enters a registry
          const std::size_t worker = self;
          std::string thrown;
          try {
            co_await two.schedule();
          } catch (const licit::executor_closed& e) {
            thrown = e.what();
          }
          co_await licit::yield_now();
          co_return here() == &one.as_executor() && (!bound || self == worker) &&
              thrown.find("schedule") != std::string::npos;
        };
        EXPECT_TRUE(bound ? one.spawn_on(1, body).get() : one.spawn(body).get());
      }
      EXPECT_EQ(two.shutdown().finished, 0U);
      EXPECT_EQ(one.shutdown().finished, 2U);
    }
  });
}

// A draining that is under way refuses tasks from outside, and so those that hop.
TEST(Hop, ADrainingSchedulerRefuses) {
  scheduler one({.workers = 1});
  scheduler two({.workers = 1});
  gate held;
  two.spawn([&] { held.pass(); }).detach();
  held.await_arrivals(1);
  EXPECT_FALSE(two.shutdown(licit::shutdown_kind::drain, std::chrono::milliseconds(1)).complete());
  const auto body = [&]() -> task<> { co_await two.schedule(); };
  EXPECT_THROW(one.spawn(body).get(), licit::executor_closed);
  held.open();
  EXPECT_TRUE(two.shutdown().complete());
}

TEST(Hop, EachSchedulerCancelsItsOwn) {
  each_kind({2}, [](const scheduler_options& options) {
    std::atomic<int> alive = 0;
    scheduler two(options);
    door wait;
    std::atomic<bool> told = false;
    std::atomic<bool> there = false;
    licit::join_handle<void> suspended;
    licit::join_handle<void> runs;
    {
      scheduler one(options);
      suspended = one.spawn([&, held = counts_itself(alive)]() -> task<> {
        co_await licit::yield_now();
        (void)co_await licit::get_stop_token();  // in the registry of the first
        co_await two.schedule();
        for (;;) co_await wait.pass();
      });
      runs = one.spawn([&]() -> task<> {
        const auto stop = co_await licit::get_stop_token();
        co_await two.schedule();
        there = true;
        while (!stop.stop_requested()) std::this_thread::yield();
        told = true;
      });
      await([&] { return wait.is_taken() && there; });
      const auto report = one.shutdown(licit::shutdown_kind::cancel);
      EXPECT_EQ(report.finished + report.cancelled + report.left, 0U);
    }  // the first one's end waits for neither
    EXPECT_FALSE(told);
    EXPECT_FALSE(suspended.done());
    EXPECT_EQ(alive, 1);
    const auto report = two.shutdown(licit::shutdown_kind::cancel);
    EXPECT_EQ(report.cancelled, 1U);
    EXPECT_EQ(report.finished, 1U);
    EXPECT_TRUE(told);
    EXPECT_THROW(suspended.get(), licit::task_cancelled);
    runs.get();
    EXPECT_EQ(alive, 0);
  });
}

TEST(Hop, WhatIsBoundIsNotBoundThere) {
  scheduler one(numbered({.workers = 2}));
  scheduler two(numbered({.workers = 1}));
  scheduler three(numbered({.workers = 2, .stealing = false}));
  const auto body = [&]() -> task<bool> {
    co_await two.schedule();  // which has no worker 1
    bool good = here() == &two.as_executor() && self == 0;
    co_await three.schedule();
    const std::size_t worker = self;
    for (int i = 0; i != 50; ++i) {
      co_await licit::yield_now();
      good = good && self == worker && here() == &three.as_executor();
    }
    co_await one.schedule();
    co_return good&& here() == &one.as_executor();
  };
  for (int i = 0; i != 20; ++i) EXPECT_TRUE(one.spawn_on(1, body).get());
}

// Its worker waits for a task that leaves. A lone worker is not in the way of what ends elsewhere.
TEST(Hop, AWorkerWaitsForATaskThatHasLeft) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler one(options);
    scheduler two(options);
    const auto leaves = [&]() -> task<licit::executor*> {
      co_await two.schedule();
      co_return here();
    };
    EXPECT_EQ(one.spawn([&] { return licit::spawn(leaves).get(); }).get(), &two.as_executor());
  });
}

// A task that was taken out of its turn has an entry in a queue, which must not run it once it is elsewhere.
TEST(Hop, ATaskThatWasTakenOutOfItsTurn) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler one(options);
    scheduler two(options);
    const auto leaves = [&]() -> task<bool> {
      co_await two.schedule();
      const bool there = here() == &two.as_executor();
      co_await licit::yield_now();
      co_return there&& here() == &two.as_executor();
    };
    const auto parent = [&]() -> task<int> {
      int good = 0;
      for (int i = 0; i != 200; ++i) {
        auto first = licit::spawn(leaves);
        auto second = licit::spawn(leaves);  // displaces the first from the slot
        good += co_await first ? 1 : 0;
        good += co_await second ? 1 : 0;
      }
      co_return good;
    };
    EXPECT_EQ(one.spawn(parent).get(), 400);
    EXPECT_EQ(one.shutdown().finished, 1U);
    EXPECT_EQ(two.shutdown().finished, 400U);
  });
}

// One that is cancelled before its turn comes again is not in the count of where it wanted to go.
TEST(Hop, CancelledOnTheWay) {
  for (int round = 0; round != 50 * static_cast<int>(licit_test::scale) / 10; ++round) {
    scheduler one({.workers = 1});
    scheduler two({.workers = 1});
    const auto leaves = [&]() -> task<> {
      for (;;) {
        co_await two.schedule();
        co_await one.schedule();
      }
    };
    const auto parent = [&]() -> task<> {
      std::vector<licit::join_handle<void>> all;
      for (int i = 0; i != 8; ++i) all.push_back(licit::spawn(leaves));
      for (int i = 0; i != 8; ++i) (void)(i % 2 == 0 ? all[i].done() : (all[i].request_stop(), true));
      licit::spawn([&all] {
        for (auto& each : all) each.request_stop();
      }).detach();
      for (auto& each : all) {
        try {
          co_await each;
        } catch (const licit::task_cancelled&) {
        }
      }
    };
    one.spawn(parent).get();
    const auto first = one.shutdown();
    const auto second = two.shutdown();
    EXPECT_EQ(first.cancelled + second.cancelled, 8U);
    EXPECT_EQ(first.left + second.left, 0U);
  }
}

// Tasks of the first scheduler await tasks that have moved to the second, in a scope or by their handles. The first one
// ends while they are told.
TEST(Hop, ASchedulerEndsWhileItsTasksAreToldFromWhereOthersHaveMoved) {
  using flag = std::shared_ptr<std::atomic<bool>>;
  const auto made = [](std::allocator_arg_t, std::pmr::memory_resource*, scheduler& to, flag go) -> task<> {
    co_await to.schedule();
    while (!*go) co_await licit::yield_now();
  };
  scheduler other({.workers = 2});
  int late = 0;
  for (int round = 0; round != 4 * static_cast<int>(licit_test::scale); ++round) {
    licit_test::shared_memory memory;
    const auto go = std::make_shared<std::atomic<bool>>(false);
    const auto child = [&] {  // its frame outlives the first scheduler
      return made(std::allocator_arg, std::pmr::new_delete_resource(), other, go);
    };
    const auto by_handle = [&]() -> task<> {
      auto moves = licit::spawn(child());
      co_await moves;
    };
    const auto in_a_scope = [&]() -> task<> { co_await licit::when_all(child(), child()); };
    {
      scheduler_options options{.workers = 1};
      options.memory = &memory;
      scheduler one(options);
      for (int i = 0; i != 2; ++i) {
        one.spawn(by_handle).detach();
        one.spawn(in_a_scope).detach();
      }
      if (round % 3 != 0) await([&] { return one.metrics().total().counts.moved == 6; });
      *go = true;
      if (round % 2 == 0) {
        EXPECT_TRUE(one.shutdown().complete());
      }
    }
    late += memory.live();  // blocks that are still in use
    await([&] { return other.metrics().live_tasks() == 0; });
  }
  EXPECT_EQ(late, 0);
}

// To and fro between three, with wakes from outside and cancellations, all at once.
TEST(Hop, ToAndFro) {
  each_kind({2}, [](const scheduler_options& options) {
    std::vector<std::unique_ptr<scheduler>> all;
    for (int i = 0; i != 3; ++i) all.push_back(std::make_unique<scheduler>(options));
    std::atomic<int> alive = 0;
    constexpr std::size_t tasks = 100;
    std::vector<licit::join_handle<int>> handles;
    const auto wanders = [&](std::size_t seed) -> task<int> {
      const counts_itself counted(alive);
      int wrong = 0;
      for (std::size_t i = 0; i != 5 * licit_test::scale; ++i) {
        scheduler& next = *all[(seed + i * (seed % 5)) % all.size()];
        co_await next.schedule();
        wrong += here() == &next.as_executor() ? 0 : 1;
        if (i % 7 == 0) co_await licit::yield_now();
        if (i % 11 == 0) co_await licit::spawn([] {});
        if (i % 13 == 0) co_await licit::suspend_with([](const licit::waker& w) { w.wake(); });
      }
      co_return wrong;
    };
    for (std::size_t i = 0; i != tasks; ++i) handles.push_back(all[i % 3]->spawn(wanders, i));
    for (std::size_t i = 0; i != tasks; i += 4) handles[i].request_stop();
    for (std::size_t i = 0; i != tasks; ++i) {
      try {
        EXPECT_EQ(handles[i].get(), 0);
      } catch (const licit::task_cancelled&) {
        EXPECT_EQ(i % 4, 0U);
      }
    }
    for (auto& each : all) EXPECT_TRUE(each->shutdown().complete());
    EXPECT_EQ(alive, 0);
  });
}

}  // namespace
