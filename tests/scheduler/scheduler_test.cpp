// A scheduler as its users see it: spawning from anywhere, errors, shutdown, and what outlives it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::scheduler;
using licit::scheduler_options;
using licit::shutdown_kind;
using licit::task;
using licit::waker;
using licit_test::await;
using licit_test::each_kind;
using licit_test::gate;

/// Counts what is alive: frames, callables.
struct counted {
  explicit counted(std::atomic<int>& alive) : alive{&alive} { ++alive; }
  counted(const counted& o) : alive{o.alive} { ++*alive; }
  counted(counted&& o) noexcept : alive{std::exchange(o.alive, nullptr)} {}
  counted& operator=(counted) = delete;
  ~counted() {
    if (alive != nullptr) --*alive;
  }
  std::atomic<int>* alive;
};

// --- spawning

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
      all.spawn([&] { ++ran; }).get();
      memory.failing = true;
      EXPECT_THROW(all.spawn([held = counted(alive)] { (void)held; }), std::bad_alloc);
      EXPECT_THROW(all.spawn([](counted /*held*/) -> task<> { co_return; }(counted(alive))), std::bad_alloc);
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
    constexpr int yielders = 2000;
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

// --- shutdown

std::uint64_t sum(const licit::shutdown_report& r) { return r.finished + r.cancelled + r.left; }

TEST(Shutdown, DrainingRunsWhatTasksSpawn) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    gate here;
    std::atomic<int> ran = 0;
    std::function<void(int)> grow = [&](int depth) {
      ++ran;
      if (depth == 0) return;
      for (int i = 0; i != 2; ++i) licit::spawn([&grow, depth] { grow(depth - 1); });
    };
    all.spawn([&] {
      here.pass();
      grow(6);
    });
    here.await_arrivals(1);
    licit::shutdown_report report;
    std::thread closes([&] { report = all.shutdown(); });
    std::uint64_t outside = 1;
    for (bool refused = false; !refused;) {  // from the moment of the call on
      try {
        all.spawn([] {});
        ++outside;
      } catch (const licit::executor_closed& e) {
        EXPECT_NE(std::string(e.what()).find("licit: spawn"), std::string::npos);
        refused = true;
      }
    }
    here.open();
    closes.join();
    EXPECT_EQ(ran, 127);
    EXPECT_EQ(report.finished, outside + 126);
    EXPECT_EQ(sum(report), report.finished);
    EXPECT_THROW(all.spawn([] {}), licit::executor_closed);
  });
}

TEST(Shutdown, CancellingRefusesTasksToo) {
  each_kind([](const scheduler_options& options) {
    std::atomic<int> alive = 0;
    scheduler all(options);
    gate here;
    std::atomic<bool> refused = false;
    std::uint64_t extra = 0;
    licit::shutdown_report report;
    auto busy = all.spawn([&](const std::stop_token& /*never asked*/) {
      here.pass();
      try {
        licit::spawn([held = counted(alive)] { (void)held; });
      } catch (const licit::executor_closed&) {
        refused = true;
      }
    });
    std::vector<join_handle<void>> suspended;
    for (int i = 0; i != 50; ++i) {
      suspended.push_back(all.spawn([](counted /*held*/) -> task<> {
        for (;;) co_await licit::suspend_with([](waker /*dropped*/) {});
      }(counted(alive))));
    }
    here.await_arrivals(1);
    std::thread closes([&] { report = all.shutdown(shutdown_kind::cancel); });
    await([&] {  // closed to those outside
      try {
        all.spawn([] {});
        ++extra;
      } catch (const licit::executor_closed&) {
        return true;
      }
      return false;
    });
    here.open();
    closes.join();
    busy.get();
    EXPECT_TRUE(refused);
    EXPECT_TRUE(report.complete());
    EXPECT_GE(report.finished, 1U);
    EXPECT_EQ(sum(report), 51 + extra);
    for (auto& h : suspended) EXPECT_THROW(h.get(), licit::task_cancelled);
    EXPECT_EQ(alive, 0);
  });
}

TEST(Shutdown, ALimitLeavesWhatWouldNotStop) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    gate here;
    auto stuck = all.spawn([&] { here.pass(); });
    here.await_arrivals(1);
    auto asleep = all.spawn([]() -> task<> { co_await licit::suspend_with([](waker /*dropped*/) {}); }());
    for (const auto most :
         {std::chrono::nanoseconds(-5), std::chrono::nanoseconds(0), std::chrono::nanoseconds(1000)}) {
      const auto report = all.shutdown(shutdown_kind::drain, most);
      EXPECT_FALSE(report.complete());
      EXPECT_EQ(report.left, 2U);
      EXPECT_EQ(sum(report), 2U);
    }
    for (;;) {  // the one that can be cancelled is gone soon, and the other not
      const auto report = all.shutdown(shutdown_kind::cancel, std::chrono::milliseconds(1));
      EXPECT_EQ(sum(report), 2U);
      EXPECT_FALSE(report.complete());
      if (report.cancelled == 1) break;
    }
    EXPECT_THROW(asleep.get(), licit::task_cancelled);
    std::thread opens([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      here.open();
    });
    const auto report = all.shutdown(shutdown_kind::drain, std::chrono::nanoseconds::max());
    opens.join();
    EXPECT_EQ(report.finished, 1U);
    EXPECT_EQ(report.cancelled, 1U);
    EXPECT_TRUE(report.complete());
    const auto again = all.shutdown();
    EXPECT_EQ(again.finished, 1U);
    EXPECT_EQ(sum(again), 2U);
    stuck.get();
  });
}

// A task that ends just when the time is over: either it is left, and the threads go on, or the threads have ended.
TEST(Shutdown, CompleteMeansThatTheThreadsHaveEnded) {
  int complete = 0;
  for (int i = 0; i != 300; ++i) {
    std::atomic<int> ended = 0;
    scheduler_options options{.workers = 2};
    options.on_thread_stop = [&](std::size_t /*worker*/) { ++ended; };
    scheduler all(options);
    for (int k = 0; k != 20; ++k) all.spawn([] {});
    const auto report = all.shutdown(shutdown_kind::drain, std::chrono::microseconds(i));
    // One is left also where all have just ended, and the threads not yet.
    EXPECT_GE(sum(report), 20U);
    EXPECT_LE(sum(report), report.complete() ? 20U : 21U);
    EXPECT_EQ(ended, report.complete() ? 2 : 0);
    if (report.complete()) ++complete;
  }
  EXPECT_GT(complete, 0);
}

// The drain waits for what never comes, until another call cancels it.
TEST(Shutdown, CancellingEndsADrainingThatWaits) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    auto asleep = all.spawn([]() -> task<> { co_await licit::suspend_with([](waker /*dropped*/) {}); }());
    std::thread drains([&] {
      const auto report = all.shutdown();
      EXPECT_EQ(report.cancelled, 1U);
      EXPECT_TRUE(report.complete());
    });
    std::vector<std::thread> others;
    others.reserve(3);
    for (int i = 0; i != 3; ++i) {
      others.emplace_back([&] { EXPECT_EQ(all.shutdown(shutdown_kind::cancel).cancelled, 1U); });
    }
    for (auto& t : others) t.join();
    drains.join();
    EXPECT_THROW(asleep.get(), licit::task_cancelled);
  });
}

TEST(Shutdown, NotFromItsOwnTask) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    auto h = all.spawn([&] { EXPECT_THROW((void)all.shutdown(), std::logic_error); });
    h.get();
    all.spawn([] {}).get();  // nothing was closed
    scheduler other(options);
    other.spawn([&] { EXPECT_EQ(all.shutdown().finished, 2U); }).get();  // from another's it may
  });
}

TEST(Shutdown, TheDestructorDestroysEachFrameOnce) {
  each_kind([](const scheduler_options& options) {
    std::atomic<int> alive = 0;
    std::atomic<int> begun = 0;
    {
      scheduler all(options);
      for (int i = 0; i != 100; ++i) {
        all.spawn([](counted /*held*/, auto& count) -> task<> {
          ++count;
          co_await licit::spawn([]() -> task<> { co_await licit::suspend_with([](waker /*dropped*/) {}); }());
        }(counted(alive), begun));
      }
      await([&] { return begun == 100; });
      EXPECT_EQ(alive, 100);
    }
    EXPECT_EQ(alive, 0);
  });
}

TEST(Shutdown, ASchedulerThatHasMovedIsWhereItWent) {
  scheduler one({.workers = 2});
  auto h = one.spawn([] { return 1; });
  scheduler two(std::move(one));
  EXPECT_EQ(h.get(), 1);
  EXPECT_EQ(two.spawn([] { return 2; }).get(), 2);
  EXPECT_EQ(two.shutdown().finished, 2U);
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

TEST(Waiting, OneWorkerCannotWaitForItself) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    auto h = all.spawn([] {
      auto child = licit::spawn([] { return 1; });
      EXPECT_THROW((void)child.get(), std::system_error);
      EXPECT_THROW((void)child.wait_for(std::chrono::seconds(1)), std::system_error);
      return child;
    });
    EXPECT_EQ(h.get().get(), 1);
    // For another's task it may wait.
    scheduler other(options);
    EXPECT_EQ(all.spawn([&] { return other.spawn([] { return 2; }).get(); }).get(), 2);
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
  each_kind({2}, [](const scheduler_options& options) {
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
