// The stop tokens of coroutines.
#include <atomic>
#include <chrono>
#include <memory>
#include <stop_token>
#include <thread>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::await;
using licit_test::each_kind;

task<> for_ever() {
  for (;;) co_await licit::suspend_with([](licit::waker /*dropped*/) {});
}

TEST(StopToken, OfACoroutineIsToldByItsCancellation) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> begun = false;
    auto runs = all.spawn([&]() -> task<bool> {
      const std::stop_token stop = co_await licit::get_stop_token();
      EXPECT_EQ(stop, co_await licit::get_stop_token());
      begun = true;
      while (!stop.stop_requested()) std::this_thread::yield();
      co_return true;
    });
    await([&] { return begun.load(); });
    runs.request_stop();
    EXPECT_TRUE(runs.get());
  });
}

TEST(StopToken, ASuspendedCoroutineIsToldInTheCall) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> begun = false;
    bool told = false;
    auto suspended = all.spawn([&]() -> task<> {
      const std::stop_callback callback(co_await licit::get_stop_token(), [&] { told = true; });
      begun = true;
      co_await for_ever();
    });
    await([&] { return begun.load(); });
    all.spawn([] {}).get();  // the only worker has suspended the other
    suspended.request_stop();
    EXPECT_TRUE(told);
    EXPECT_THROW(suspended.get(), licit::task_cancelled);
  });
}

// A callback holds the thread that cancels, until the coroutine has suspended. The stop comes before the cancellation,
// so the coroutine is there for its own callback.
TEST(StopToken, ACoroutineIsToldBeforeItIsDestroyed) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> begun = false;
    std::atomic<bool> may_suspend = false;
    std::atomic<int> told = 0;
    std::atomic<bool> destroyed = false;
    std::stop_token token;
    auto suspends = all.spawn([&]() -> task<> {
      const auto set = [](std::atomic<bool>* flag) { *flag = true; };
      const std::unique_ptr<std::atomic<bool>, decltype(set)> last(&destroyed, set);
      token = co_await licit::get_stop_token();
      const std::stop_callback own(token, [&] { ++told; });
      begun = true;
      while (!may_suspend) std::this_thread::yield();
      co_await for_ever();
    });
    await([&] { return begun.load(); });
    const std::stop_callback holds(token, [&] {  // registered last: libstdc++ calls it first
      ++told;
      may_suspend = true;
      for (int i = 0; i != 100 && !destroyed; ++i) std::this_thread::sleep_for(std::chrono::microseconds(100));
      EXPECT_FALSE(destroyed);
    });
    suspends.request_stop();
    EXPECT_EQ(told, 2);
    EXPECT_THROW(suspends.get(), licit::task_cancelled);
    EXPECT_TRUE(destroyed);
  });
}

TEST(StopToken, IsToldByAShutdownWhileTheCoroutineRuns) {
  each_kind({2}, [](const scheduler_options& options) {
    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;
    {
      scheduler all(options);
      all.spawn([&]() -> task<> {
           const std::stop_token stop = co_await licit::get_stop_token();
           begun = true;
           while (!stop.stop_requested()) std::this_thread::yield();
           ended = true;
         })
          .detach();
      await([&] { return begun.load(); });
    }
    EXPECT_TRUE(ended);
  });
}

TEST(StopToken, AskedForAfterTheCancellation) {
  scheduler all({.workers = 2});
  std::atomic<int> step = 0;
  auto late = all.spawn([&]() -> task<bool> {
    step = 1;
    while (step == 1) std::this_thread::yield();
    co_return (co_await licit::get_stop_token()).stop_requested();
  });
  await([&] { return step == 1; });
  late.request_stop();
  step = 2;
  EXPECT_TRUE(late.get());
  EXPECT_FALSE(all.block_on([]() -> task<bool> { co_return (co_await licit::get_stop_token()).stop_requested(); }));
}

}  // namespace
