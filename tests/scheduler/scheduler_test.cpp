// A scheduler as its users see it: spawning from anywhere, errors, waiting, and what outlives it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit::waker;
using licit_test::all_asleep;
using licit_test::await;
using counted = licit_test::counts_itself;
using licit_test::each_kind;
using licit_test::gate;

// --- spawning

TEST(Stealing, AThiefTakesNoMoreThanTheOptionSays) {
  for (const std::size_t most : {1, 4}) {
    each_kind({2}, [most](scheduler_options options) {
      options.steal_at_most = most;
      std::atomic<int> left = 64;
      scheduler all(options);
      all.spawn([&left] {
           for (int i = 0; i != 64; ++i) licit::spawn([&left] { --left; });
           // The other worker empties this one's queue. Nobody is woken for the task in the slot, so that one may stay.
           await([&left] { return left <= 1; });
         })
          .get();
      EXPECT_TRUE(all.shutdown().complete());
      const auto counts = all.metrics().total().counts;
      EXPECT_GE(counts.steals_won * most, 32U);
      EXPECT_LE(counts.items_stolen, counts.steals_won * most);
    });
  }
}

TEST(Spawn, FromForeignThreadsAndFromTasks) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    EXPECT_EQ(all.workers(), options.workers);
    std::atomic<int> ran = 0;
    std::vector<std::thread> foreign;
    for (int i = 0; i != 3; ++i) {
      foreign.emplace_back([&] {
        std::vector<join_handle<void>> handles;
        for (int k = 0; k != 100; ++k) {
          handles.push_back(all.spawn([&] {
            for (int child = 0; child != 3; ++child) licit::spawn([&] { ++ran; });
            ++ran;
          }));
        }
        for (auto& h : handles) h.get();
      });
    }
    for (auto& t : foreign) t.join();
    const auto report = all.shutdown();
    EXPECT_EQ(ran, 1200);
    EXPECT_EQ(report.finished, 1200U);
    EXPECT_EQ(report.cancelled, 0U);
    EXPECT_TRUE(report.complete());
    const auto metrics = all.metrics();
    EXPECT_EQ(metrics.spawned_outside, 300U);
    EXPECT_EQ(metrics.total().counts.spawned, 900U);
    EXPECT_EQ(metrics.live_tasks(), 0U);
  });
}

TEST(Spawn, OutsideOfAnExecutorIsAnError) {
  EXPECT_THROW(licit::spawn([] {}), std::logic_error);
}

TEST(Spawn, SchedulersNest) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler outer(options);
    auto sum = outer.spawn([&] {
      scheduler inner(options);
      auto there = inner.spawn([&outer] {
        auto back = outer.spawn([] { return 1; });  // from another scheduler's worker: as any foreign thread
        return 10 + back.get();
      });
      const int got = there.get();  // blocks a worker of the outer one
      EXPECT_EQ(inner.shutdown().finished, 1U);
      return 100 + got;
    });
    EXPECT_EQ(sum.get(), 111);
    EXPECT_EQ(outer.shutdown().finished, 2U);
  });
}

// A coroutine of one scheduler awaits tasks of another.
TEST(Spawn, HandlesAreAwaitedAcrossSchedulers) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler one(options);
    scheduler two(options);
    for (int i = 0; i != 100; ++i) {
      auto h = one.spawn(
          [](scheduler& other, int n) -> task<int> { co_return co_await other.spawn([n] { return n; }); }(two, i));
      ASSERT_EQ(h.get(), i);
    }
  });
}

TEST(Spawn, WithoutMemoryNothingHasBegun) {
  licit_test::shared_memory memory;
  std::atomic<int> alive = 0;
  each_kind({2}, [&](scheduler_options options) {
    options.memory = &memory;
    options.local_capacity = 2;
    {
      scheduler all(options);
      std::atomic<int> ran = 0;
      const auto coroutine = [](counted /*held*/) -> task<> { co_return; };
      all.spawn([&] {
           ++ran;
           memory.failing = true;
           EXPECT_THROW(licit::spawn(coroutine(counted(alive))), std::bad_alloc);
         })
          .get();
      EXPECT_THROW(all.spawn([held = counted(alive)] { (void)held; }), std::bad_alloc);
      EXPECT_EQ(alive, 0);
      memory.failing = false;
      EXPECT_EQ(all.shutdown().finished, 1U);
      EXPECT_EQ(ran, 1);
    }
    EXPECT_EQ(memory.live(), 0);
  });
}

// Tasks that are there when memory runs out are run, however full the queues are.
TEST(Spawn, NoTaskIsLostForWantOfMemory) {
  licit_test::shared_memory memory;
  each_kind({2}, [&](scheduler_options options) {
    options.memory = &memory;
    options.local_capacity = 2;
    constexpr int yielders = licit_test::emulated ? 400 : 2000;  // the time is quadratic
    constexpr int yields = 20;
    std::atomic<int> ran = 0;
    {
      scheduler all(options);
      std::vector<join_handle<void>> handles;
      for (int i = 0; i != yielders; ++i) {
        handles.push_back(all.spawn([](auto& count) -> task<> {
          for (int k = 0; k != yields; ++k) co_await licit::yield_now();
          ++count;
        }(ran)));
      }
      memory.failing = true;
      for (auto& h : handles) h.get();
      memory.failing = false;
      EXPECT_EQ(all.shutdown().finished, static_cast<std::uint64_t>(yielders));
    }
    EXPECT_EQ(ran, yielders);
    EXPECT_EQ(memory.live(), 0);
  });
}

// --- exceptions

TEST(Exceptions, AreThrownAtTheJoinOrTold) {
  each_kind([](scheduler_options options) {
    std::mutex mutex;
    std::vector<int> told;
    options.on_unobserved = [&](const std::exception_ptr& e) {
      try {
        std::rethrow_exception(e);
      } catch (int number) {
        const std::lock_guard lock(mutex);
        told.push_back(number);
      }
    };
    scheduler all(options);
    auto asked = all.spawn([] { throw 1; });
    EXPECT_THROW(asked.get(), int);
    auto coroutine = all.spawn([]() -> task<int> {
      co_await licit::yield_now();
      throw std::runtime_error("thrown");
    }());
    EXPECT_THROW(coroutine.get(), std::runtime_error);
    all.spawn([] { throw 2; }).detach();
    auto kept = all.spawn([] { throw 3; });
    await([&] { return kept.done(); });
    kept.detach();
    const auto report = all.shutdown();
    EXPECT_EQ(report.finished, 4U);
    std::ranges::sort(told);
    EXPECT_EQ(told, (std::vector{2, 3}));
    EXPECT_EQ(all.metrics().unobserved_exceptions, 2U);
    EXPECT_EQ(all.metrics().total().counts.threw, 4U);
  });
}

// A worker completes the task, and counts it, whoever cancels it.
TEST(Metrics, CountEachCancelledTaskOnce) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    std::vector<join_handle<void>> suspended;
    for (int i = 0; i != 3; ++i) {
      suspended.push_back(all.spawn([]() -> task<> { co_await licit::suspend_with([](waker /*dropped*/) {}); }()));
    }
    for (auto& h : suspended) {
      h.request_stop();
      EXPECT_THROW(h.get(), licit::task_cancelled);
    }
    EXPECT_EQ(all.shutdown().cancelled, 3U);
    const licit::scheduler_snapshot seen = all.metrics();
    EXPECT_EQ(seen.total().counts.cancelled, 3U);
    EXPECT_EQ(seen.spawned_outside, 3U);
    EXPECT_EQ(seen.live_tasks(), 0U);
  });
}

// --- what outlives the scheduler

TEST(Outliving, HandlesKeepTheirResults) {
  each_kind({2}, [](const scheduler_options& options) {
    auto all = std::make_unique<scheduler>(options);
    auto value = all->spawn([] { return std::make_unique<int>(7); });
    auto exception = all->spawn([] { throw 1; });
    await([&] { return value.done() && exception.done(); });
    auto lost = all->spawn([]() -> task<> { co_await licit::suspend_with([](waker /*dropped*/) {}); }());
    all.reset();
    EXPECT_EQ(*value.get(), 7);
    EXPECT_THROW(exception.get(), int);
    EXPECT_THROW(lost.get(), licit::task_cancelled);
  });
}

TEST(Outliving, AHandleWithAnExceptionThatNobodyAsksFor) {
  each_kind({2}, [](const scheduler_options& options) {
    join_handle<void> left;
    {
      scheduler all(options);
      left = all.spawn([] { throw 1; });
      await([&] { return left.done(); });
    }
    left.detach();  // there is nobody left to be told
  });
}

TEST(Outliving, WakersDoNothing) {
  each_kind({2}, [](const scheduler_options& options) {
    std::atomic<int> alive = 0;
    waker left;
    std::atomic<bool> kept = false;
    {
      scheduler all(options);
      auto h = all.spawn([](counted /*held*/, waker& to, std::atomic<bool>& told) -> task<> {
        co_await licit::suspend_with([&](waker w) {
          to = std::move(w);
          told = true;
        });
        ADD_FAILURE() << "nobody woke it";
      }(counted(alive), left, kept));
      h.detach();
      await([&] { return kept.load(); });
    }
    EXPECT_EQ(alive, 0);
    left.wake();
    const waker copy = left;
    copy.wake();
  });
}

// Whoever wakes the last task may still be in the call when the scheduler goes.
TEST(Outliving, TheCallOfAWakerThatEndsTheLastTask) {
  each_kind({2}, [](const scheduler_options& options) {
    for (int i = 0; i != 30; ++i) {
      auto all = std::make_unique<scheduler>(options);
      std::atomic<waker*> given = nullptr;
      waker kept;
      std::thread foreign([&] {
        waker* w = nullptr;
        while ((w = given.load()) == nullptr) std::this_thread::yield();
        const waker mine = *w;
        given = nullptr;
        mine.wake();
      });
      auto h = all->spawn([](auto& to, auto& place) -> task<> {
        co_await licit::suspend_with([&](waker w) {
          place = std::move(w);
          to = &place;
        });
      }(given, kept));
      h.get();
      all.reset();
      foreign.join();
    }
  });
}

// --- waiting in a task

TEST(Waiting, HandsOverWhatOnlyTheBlockedWorkerWouldRun) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 50; ++i) {
      auto outer = all.spawn([] {
        auto inner = licit::spawn([] { return 1; });
        while (!inner.wait_for(std::chrono::hours(1))) continue;
        return inner.get() + licit::spawn([] { return 1; }).get();
      });
      ASSERT_EQ(outer.get(), 2);
    }
  });
}

// The end of another scheduler waits for a task that only the worker which ends it would run.
TEST(Waiting, HandsOverWhereAnotherSchedulerIsShutDown) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 20; ++i) {
      auto outer = all.spawn([&] {
        await([&] { return licit_test::asleep(all, 1); });
        auto next = licit::spawn([] {});
        scheduler other({.workers = 1});
        auto waits = other.spawn([&next] { next.get(); });
        EXPECT_TRUE(other.shutdown().complete());
        EXPECT_TRUE(waits.done());
      });
      outer.get();
    }
  });
}

// A task that yields is in its worker's queue, and nobody was woken for it; then the slot's task waits for it.
TEST(Waiting, HandsOverATaskThatHasYielded) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 50; ++i) {
      join_handle<void> yields;
      gate ready;
      std::atomic<bool> over = false;
      yields = all.spawn([](auto& self, auto& begin, auto& done) -> task<> {
        begin.pass();
        licit::spawn([&self, &done] {
          self.get();
          done = true;
        });
        co_await licit::yield_now();
      }(yields, ready, over));
      ready.open();
      await([&] { return over.load(); });
    }
    EXPECT_EQ(all.shutdown().finished, 100U);
  });
}

// The same without a block: a worker that sleeps runs what yielded, beside the slot's task.
TEST(Waiting, ATaskThatHasYieldedRunsBesideTheSlots) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 20; ++i) {
      std::atomic<bool> over = false;
      auto beside = all.spawn([](auto& done) -> task<join_handle<void>> {
        auto waits = licit::spawn([&done] { await([&] { return done.load(); }); });
        co_await licit::yield_now();
        done = true;
        co_return waits;
      }(over));
      beside.get().get();
    }
  });
}

// A task whose thread blocks until others have run: as many as there are workers, less one, may.
TEST(Waiting, AllWorkersWouldBeBlocked) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    const int number = static_cast<int>(options.workers);
    gate here;
    std::atomic<int> deadlocks = 0;
    std::vector<join_handle<void>> handles;
    for (int i = 0; i != number; ++i) {
      handles.push_back(all.spawn([&] {
        here.pass();  // one on each worker
        auto never = licit::spawn([]() -> task<> { co_await licit::yield_now(); }());
        try {
          never.get();
        } catch (const std::system_error& e) {
          EXPECT_EQ(e.code(), std::errc::resource_deadlock_would_occur);
          ++deadlocks;
          EXPECT_TRUE(never.joinable());  // as it was; co_await would do
        }
      }));
    }
    here.await_arrivals(number);
    here.open();
    for (auto& h : handles) h.get();
    EXPECT_LE(deadlocks, number);
    EXPECT_TRUE(all.shutdown().complete());
  });
}

TEST(Waiting, OneWorkerCannotWaitForWhatItWouldRun) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    waker left;
    auto h = all.spawn([&] {
      auto child = licit::spawn([](waker& to) -> task<int> {
        co_await licit::suspend_with([&, first = true](waker w) mutable {
          if (std::exchange(first, false)) to = std::move(w);
        });
        co_return 1;
      }(left));
      EXPECT_FALSE(child.wait_for(std::chrono::milliseconds(0)));  // it ends by itself, and runs nothing
      EXPECT_FALSE(child.wait_for(std::chrono::milliseconds(1)));
      EXPECT_THROW((void)child.get(), std::system_error);
      return child;
    });
    auto child = h.get();
    await([&] { return all_asleep(all); });
    left.wake();
    EXPECT_EQ(child.get(), 1);
    // For another's task it may wait.
    scheduler other(options);
    EXPECT_EQ(all.spawn([&] { return other.spawn([] { return 2; }).get(); }).get(), 2);
  });
}

int fib(int n) {
  if (n < 2) return n;
  auto one = licit::spawn([n] { return fib(n - 1); });
  auto two = licit::spawn([n] { return fib(n - 2); });
  return one.get() + two.get();
}

// Who waits for a task that has not begun runs it, and its entry in a queue goes by without effect.
TEST(Waiting, ATaskThatHasNotBegunRunsWhereItIsAwaited) {
  each_kind({1, 2, 4}, [](scheduler_options options) {
    licit_test::shared_memory memory;
    options.memory = &memory;
    options.local_capacity = 16;  // stale entries overflow too
    {
      scheduler all(options);
      EXPECT_EQ(all.spawn([] { return fib(16); }).get(), 987);
      EXPECT_EQ(all.shutdown().finished, 3193U);
    }
    EXPECT_EQ(memory.live(), 0);
  });
}

TEST(Waiting, DeepRecursionByCallables) {
  scheduler_options options{.workers = 2};
  scheduler all(options);
  EXPECT_EQ(all.spawn([] { return fib(20); }).get(), 6765);
}

// On half of the stack a worker blocks as it did before.
TEST(Waiting, ATaskIsRunInPlaceOnHalfOfTheStack) {
  std::function<int(int)> down = [&](int left) -> int {
    if (left == 0) return 0;
    return 1 + licit::spawn([&down, left] { return down(left - 1); }).get();
  };
  scheduler all({.workers = 1});  // ends first: the task for which there was no stack is left to it
  EXPECT_EQ(all.spawn([&] { return down(100); }).get(), 100);
  try {
    all.spawn([&] { return down(1'000'000); }).get();
    ADD_FAILURE() << "a million calls on one stack";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code(), std::errc::resource_deadlock_would_occur);
  }
}

TEST(Waiting, NoOtherTaskRunsWhereATaskWaits) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    scheduler other(options);
    all.spawn([&] {
         std::vector<int> ran;
         std::vector<join_handle<void>> handles;
         for (int i = 0; i != 5; ++i) handles.push_back(licit::spawn([&ran, i] { ran.push_back(i); }));
         handles[2].get();
         EXPECT_EQ(ran, std::vector{2});
         handles[1].request_stop();
         EXPECT_THROW(handles[1].get(), licit::task_cancelled);
         const auto here = std::this_thread::get_id();
         EXPECT_NE(other.spawn([] { return std::this_thread::get_id(); }).get(), here);
         EXPECT_EQ(licit::spawn([] { return std::this_thread::get_id(); }).get(), here);
         for (const int i : {0, 3, 4}) handles[static_cast<std::size_t>(i)].get();
         EXPECT_EQ(ran, (std::vector{2, 0, 3, 4}));
       })
        .get();
    const auto report = all.shutdown();
    EXPECT_EQ(report.finished, 6U);
    EXPECT_EQ(report.cancelled, 1U);
  });
}

// A task whose wait is over, though its thread does not run yet, does not count as blocked.
TEST(Waiting, AWaitThatIsOverIsNoDeadlock) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 1000; ++i) {
      std::atomic<bool> good = false;
      std::atomic<bool> over = false;
      auto waits = all.spawn([&] {
        licit::spawn([&] {
          licit::spawn([&] {  // next here, after the one that is waited for
            licit::spawn([&] { good = true; }).get();
            over = true;
          })
              .detach();
        }).get();
      });
      waits.get();
      await([&] { return over.load(); });
      ASSERT_TRUE(good);
    }
  });
}

TEST(BlockOn, RunsOnTheCallingThread) {
  each_kind({2}, [](scheduler_options options) {
    options.waiters_run = false;
    scheduler all(options);
    const auto here = std::this_thread::get_id();
    const auto wherever = all.block_on([](std::thread::id self) -> task<std::thread::id> {
      EXPECT_EQ(std::this_thread::get_id(), self);
      const auto there = co_await licit::spawn([] { return std::this_thread::get_id(); });
      EXPECT_EQ(std::this_thread::get_id(), self);
      co_return there;
    }(here));
    EXPECT_NE(wherever, here);
    EXPECT_THROW(all.block_on([]() -> task<> {
      throw 1;
      co_return;
    }()),
                 int);
    EXPECT_THROW(all.block_on(task<>()), std::invalid_argument);
  });
}

// --- tasks that run in place, where they are awaited

task<int> forked(int n) {
  if (n < 2) co_return n;
  auto h = licit::spawn(forked(n - 1));
  const int other = co_await forked(n - 2);
  co_return other + co_await h;
}

TEST(InPlace, ForkedTasksAreEachRunOnce) {
  licit_test::shared_memory memory;
  each_kind({1, 2, 4}, [&](scheduler_options options) {
    options.memory = &memory;
    options.measure_polls = true;
    options.trace_events = 256;
    {
      scheduler all(options);
      for (int i = 0; i != 10; ++i) EXPECT_EQ(all.spawn(forked(15)).get(), 610);
      const licit::shutdown_report report = all.shutdown();
      EXPECT_TRUE(report.complete());
      EXPECT_EQ(report.finished, 10U * 987);
    }
    EXPECT_EQ(memory.live(), 0) << "an entry that was left in a queue keeps its task";
  });
}

TEST(InPlace, AnAwaitedTaskRunsBeforeThoseThatWereSpawnedLater) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    const auto said = all.spawn([]() -> task<std::string> {
                           std::string order;
                           const auto say = [&order](char what) { return [&order, what] { order += what; }; };
                           auto a = licit::spawn(say('a'));
                           auto b = licit::spawn([](auto says) -> task<> {
                             co_await licit::yield_now();
                             says();
                           }(say('b')));
                           auto c = licit::spawn(say('c'));
                           co_await a;
                           order += '1';
                           co_await b;  // it yields, so this task waits
                           order += '2';
                           co_await c;
                           co_return order;
                         })
                          .get();
    EXPECT_EQ(said.substr(0, 2), "a1");
    EXPECT_EQ(said.size(), 5U);
    EXPECT_LT(said.find('b'), said.find('2'));
  });
}

task<int> nested(int depth) {
  if (depth == 0) co_return 0;
  auto h = licit::spawn(nested(depth - 1));
  co_return 1 + co_await h;
}

TEST(InPlace, TheStackBoundsNoNesting) {
  each_kind({1, 2}, [](scheduler_options options) {
    options.stack_bytes = std::size_t{256} << 10;
    scheduler all(options);
    EXPECT_EQ(all.spawn(nested(20'000)).get(), 20'000);
  });
}

/// Takes long enough that the time for which a worker runs tasks in place is a small number of them.
task<> spins() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(5);
  while (std::chrono::steady_clock::now() < end) {
  }
  co_return;
}

TEST(InPlace, OthersHaveTheirTurn) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> over = false;
    auto h = all.spawn([](std::atomic<bool>& end) -> task<int> {
      const licit::unconstrained all_at_once;
      int rounds = 0;
      auto other = licit::spawn([&end] { end = true; });
      while (!end) {
        co_await licit::spawn(spins());
        ++rounds;
      }
      co_return rounds;
    }(over));
    EXPECT_LE(h.get(), 1000);
  });
}

/// Of two tasks the first is in the queue. It is taken back, so no entry is left there, which would be a poll.
TEST(InPlace, AQueueGivesTheYoungestBack) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    all.spawn([]() -> task<> {
         auto queued = licit::spawn(spins());
         auto in_slot = licit::spawn(spins());
         co_await in_slot;
         co_await queued;
       })
        .get();
    all.shutdown();
    EXPECT_EQ(all.metrics().total().counts.polls, 1U);
    EXPECT_EQ(all.metrics().total().counts.finished, 3U);
  });
}

TEST(Suspension, WithoutMemoryATaskRunsAgainUntilAShutdownCanFindIt) {
  licit_test::shared_memory memory;
  each_kind({1, 2}, [&](scheduler_options options) {
    options.memory = &memory;
    {
      scheduler all(options);
      std::atomic<int> looks = 0;
      auto h = all.spawn([](std::atomic<int>& count, auto& fails) -> task<> {
        fails = true;
        for (;;) co_await licit::suspend_with([&](const waker&) { ++count; });
      }(looks, memory.failing));
      await([&] { return looks > 10; });
      memory.failing = false;
      await([&] { return all_asleep(all); });
      EXPECT_EQ(all.shutdown(licit::shutdown_kind::cancel).cancelled, 1U);
      EXPECT_THROW(h.get(), licit::task_cancelled);
    }
    EXPECT_EQ(memory.live(), 0);
  });
}

TEST(InPlace, CancellationFindsWhatIsSuspendedBelow) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<int> alive = 0;
    std::atomic<int> waiting = 0;
    const auto waits = [](std::atomic<int>& there, counted /*held*/) -> task<> {
      co_await licit::suspend_with([&](const waker&) { ++there; });
      for (;;) co_await licit::suspend_with([](const waker&) {});
    };
    for (int i = 0; i != 10; ++i) {
      all.spawn([&, waits]() -> task<> {
           const counted held(alive);
           auto h = licit::spawn(waits(waiting, counted(alive)));
           co_await h;
         })
          .detach();
    }
    await([&] { return waiting == 10; });
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::cancel);
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.cancelled, 20U);
    EXPECT_EQ(alive, 0);
  });
}

TEST(BlockOn, NotInATask) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    const auto refused = [&all] {
      try {
        all.block_on([]() -> task<> { co_return; }());
      } catch (const std::system_error& e) {
        return e.code() == std::errc::resource_deadlock_would_occur;
      }
      return false;
    };
    EXPECT_TRUE(all.spawn(refused).get());
    EXPECT_TRUE(all.block_on([](auto& nested) -> task<bool> { co_return nested(); }(refused)));
    EXPECT_TRUE(all.shutdown().complete());
    // After the shutdown it still runs what needs no worker.
    EXPECT_EQ(all.block_on([]() -> task<int> {
      co_await licit::yield_now();
      co_return 1;
    }()),
              1);
  });
}

TEST(Trace, MustHaveBeenAskedFor) {
  scheduler without({.workers = 1});
  std::ostringstream out;
  EXPECT_THROW(without.write_trace(out), std::logic_error);
  scheduler with({.workers = 1, .trace_events = 64});
  with.spawn([] {}).get();
  with.shutdown();
  with.write_trace(out);
  EXPECT_NE(out.str().find("traceEvents"), std::string::npos);
}

}  // namespace
