// How a scheduler ends: by draining or cancelling, within a limit, and what its report says.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
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
using licit::shutdown_kind;
using licit::task;
using licit::waker;
using licit_test::await;
using counted = licit_test::counts_itself;
using licit_test::each_kind;
using licit_test::gate;

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

TEST(Shutdown, ItsLimitHoldsWhileAThreadFromOutsideIsInAJoin) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    gate here;
    std::thread guest([&] {
      all.enter([&] {
        licit::join([&] { here.pass(); }, [] {});
        return 0;
      });
    });
    here.await_arrivals(1);
    const licit::shutdown_report early = all.shutdown(shutdown_kind::drain, std::chrono::milliseconds(1));
    EXPECT_EQ(early.left, 0U);
    EXPECT_EQ(early.visitors, 1U);
    EXPECT_FALSE(early.complete());
    here.open();
    const licit::shutdown_report late = all.shutdown();
    EXPECT_EQ(late.visitors, 0U);
    EXPECT_TRUE(late.complete());
    guest.join();
  });
}

// The half that blocks was stolen, so a worker is in it.
TEST(Shutdown, ItsLimitHoldsWhileAWorkerIsInAHalfOfSuchAJoin) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    gate here;
    std::atomic<bool> stolen = false;
    std::thread guest([&] {
      all.enter([&] {
        licit::join(
            [&] {
              while (!stolen) std::this_thread::yield();
            },
            [&] {
              stolen = true;
              here.pass();
              licit::spawn([] {}).detach();
            });
        return 0;
      });
    });
    here.await_arrivals(1);
    const licit::shutdown_report early = all.shutdown(shutdown_kind::drain, std::chrono::milliseconds(1));
    EXPECT_EQ(early.visitors, 1U);
    EXPECT_FALSE(early.complete());
    here.open();
    const licit::shutdown_report late = all.shutdown();
    EXPECT_TRUE(late.complete());
    EXPECT_EQ(late.finished, 1U) << "what the half has spawned";
    guest.join();
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

// As std::jthread does.
TEST(Shutdown, CancellingTellsTheStopTokensOfWhatRuns) {
  each_kind({2}, [](const scheduler_options& options) {
    std::atomic<int> begun = 0;
    std::atomic<int> told = 0;
    const auto until_told = [&](const std::stop_token& stop) {
      const std::stop_callback callback(stop, [&] { ++told; });
      ++begun;
      while (!stop.stop_requested()) std::this_thread::yield();
    };
    {
      scheduler all(options);
      all.spawn(until_told).detach();
      all.spawn([&] { licit::spawn(until_told).detach(); }).get();  // in a worker's registry
      await([&] { return begun == 2; });
      const auto report = all.shutdown(shutdown_kind::drain, std::chrono::milliseconds(1));
      EXPECT_EQ(report.left, 2U);
      EXPECT_EQ(told, 0) << "draining tells nobody";
    }
    EXPECT_EQ(told, 2);
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
  for (int i = 0; i < 300 || complete == 0; ++i) {
    std::atomic<int> ended = 0;
    scheduler_options options{.workers = 2};
    options.on_thread_stop = [&](std::size_t /*worker*/) { ++ended; };
    scheduler all(options);
    for (int k = 0; k != 20; ++k) all.spawn([] {});
    const auto report = all.shutdown(shutdown_kind::drain, std::chrono::microseconds(i));
    EXPECT_EQ(sum(report), 20U);
    EXPECT_EQ(ended, report.complete() ? 2 : 0);
    if (report.complete()) ++complete;
  }
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

[[noreturn]] void exit_in_a_task() {
  static scheduler all({.workers = 1});
  all.spawn([] { std::exit(0); }).detach();
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// The destructor of a static object runs in the thread that exits.
TEST(ShutdownDeathTest, AnExitInATaskOfAStaticSchedulerSaysSo) {
  if (licit_test::emulated) GTEST_SKIP() << "the emulator does not die as its program does";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_in_a_task(), testing::KilledBySignal(SIGABRT), "would wait for itself");
}

void destroy_in_enter() {
  std::optional<scheduler> all;
  all.emplace(scheduler_options{.workers = 1});
  all->enter([&] { all.reset(); });
}

TEST(ShutdownDeathTest, ADestructorInEnterSaysSo) {
  if (licit_test::emulated) GTEST_SKIP() << "the emulator does not die as its program does";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(destroy_in_enter(), testing::KilledBySignal(SIGABRT), "shutdown in a join would wait for itself");
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

}  // namespace
