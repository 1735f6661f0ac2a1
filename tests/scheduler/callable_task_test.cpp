// Callables as tasks, and their handles.
#include <chrono>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <licit/scheduler/task/spawn.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/memory.hpp"

namespace {

using namespace std::chrono_literals;
using licit::join_handle;
using licit::spawn;
using licit::task_outcome;
using licit_test::counting_memory;
using licit_test::hand_executor;
using licit_test::thread_executor;

TEST(CallableTask, GivesItsValue) {
  hand_executor e;
  join_handle<int> h = spawn(e, [] { return 5; });
  EXPECT_FALSE(h.done());
  e.run();
  EXPECT_TRUE(h.done());
  EXPECT_EQ(h.get(), 5);
  EXPECT_FALSE(h.joinable());
  EXPECT_EQ(e.outcomes, std::vector{task_outcome::finished});
}

TEST(CallableTask, GivesNothingAReferenceOrWhatCanOnlyBeMoved) {
  hand_executor e;
  int x = 0;
  join_handle<void> nothing = spawn(e, [&] { ++x; });
  join_handle<int&> reference = spawn(e, [&]() -> int& { return x; });
  auto moved = spawn(e, [p = std::make_unique<int>(3)]() mutable { return std::move(p); });
  e.run();
  nothing.get();
  EXPECT_EQ(&reference.get(), &x);
  EXPECT_EQ(*moved.get(), 3);
  EXPECT_EQ(x, 1);
}

TEST(CallableTask, RethrowsWhatItThrew) {
  hand_executor e;
  join_handle<int> h = spawn(e, []() -> int { throw std::out_of_range("here"); });
  e.run();
  EXPECT_EQ(e.outcomes, std::vector{task_outcome::threw});
  EXPECT_THROW(h.get(), std::out_of_range);
  EXPECT_TRUE(e.reported.empty());
}

TEST(CallableTask, TriesWithoutWaiting) {
  hand_executor e;
  int x = 2;
  auto value = spawn(e, [] { return 1; });
  auto nothing = spawn(e, [] {});
  auto reference = spawn(e, [&]() -> int& { return x; });
  EXPECT_FALSE(value.try_get());
  EXPECT_FALSE(nothing.try_get());
  EXPECT_EQ(reference.try_get(), nullptr);
  e.run();
  EXPECT_EQ(value.try_get(), 1);
  EXPECT_TRUE(nothing.try_get());
  EXPECT_EQ(reference.try_get(), &x);
  EXPECT_FALSE(value.joinable());
}

TEST(CallableTask, WaitsForATime) {
  hand_executor e;
  auto h = spawn(e, [] { return 1; });
  EXPECT_FALSE(h.wait_for(1ms));
  EXPECT_FALSE(h.wait_for(-1ms));
  e.run();
  EXPECT_TRUE(h.wait_for(0ms));
  EXPECT_TRUE(h.wait_for(std::chrono::hours::max()));
  EXPECT_EQ(h.get(), 1);
}

TEST(CallableTask, AnExceptionThatNobodyAsksForIsReportedOnce) {
  hand_executor e;
  const auto throws = [] { throw 5; };
  {
    auto before = spawn(e, throws);
    auto detached = spawn(e, throws);
    detached.detach();
  }
  e.run();
  EXPECT_EQ(e.reported.size(), 2U);
  {
    auto after = spawn(e, throws);
    e.run();
    EXPECT_EQ(e.reported.size(), 2U);
  }
  EXPECT_EQ(e.reported.size(), 3U);
  auto replaced = spawn(e, throws);
  e.run();
  replaced = spawn(e, throws);
  EXPECT_EQ(e.reported.size(), 4U);
  e.run();
  EXPECT_THROW(replaced.get(), int);
  EXPECT_EQ(e.reported.size(), 4U);
}

TEST(CallableTask, IsNotRunWhenItWasStoppedBefore) {
  hand_executor e;
  const auto held = std::make_shared<int>(1);
  auto h = spawn(e, [held] { return *held; });
  h.request_stop();
  h.request_stop();
  e.run();
  EXPECT_EQ(held.use_count(), 1) << "the worker destroys the callable, not the handle";
  EXPECT_EQ(e.outcomes, std::vector{task_outcome::cancelled});
  EXPECT_THROW(h.get(), licit::task_cancelled);
}

TEST(CallableTask, IsToldToStopByItsToken) {
  hand_executor e;
  join_handle<bool>* handle = nullptr;
  auto h = spawn(e, [&](const std::stop_token& stop) {
    const bool before = stop.stop_requested();
    handle->request_stop();
    return !before && stop.stop_requested();
  });
  handle = &h;
  e.run();
  EXPECT_TRUE(h.get()) << "a run that is under way goes on to its end";
}

TEST(CallableTask, PaysForATokenOnlyIfItTakesOne) {
  const auto plain = [] {};
  const auto with_token = [](const std::stop_token&) {};
  EXPECT_LT(sizeof(licit::callable_task<decltype(plain)>), sizeof(licit::callable_task<decltype(with_token)>));
}

TEST(CallableTask, AnEmptyHandleSaysSo) {
  join_handle<int> h;
  EXPECT_THROW(h.get(), std::logic_error);
  EXPECT_THROW((void)h.try_get(), std::logic_error);
  EXPECT_THROW((void)h.wait_for(1s), std::logic_error);
  EXPECT_THROW(h.request_stop(), std::logic_error);
  EXPECT_THROW((void)h.done(), std::logic_error);
  h.detach();
}

TEST(CallableTask, IsOneAllocation) {
  counting_memory memory;
  {
    hand_executor e;
    e.resource = &memory;
    auto h = spawn(e, [] { return std::string(); });
    EXPECT_EQ(memory.live_blocks(), 1U);
    e.run();
    EXPECT_EQ(memory.live_blocks(), 1U);
  }
  EXPECT_EQ(memory.live_blocks(), 0U);
}

/// Counts those that are alive; its moves and copies may throw.
struct tracked {
  explicit tracked(int& alive) : alive{&alive} { ++alive; }
  tracked(const tracked& o) : alive{o.alive} {
    if (throws) throw std::runtime_error("copied");
    ++*alive;
  }
  ~tracked() { --*alive; }
  void operator()() const {}
  int* alive;
  static inline bool throws = false;
};

TEST(CallableTask, WithoutMemoryNothingIsLeft) {
  counting_memory memory;
  hand_executor e;
  e.resource = &memory;
  memory.failing = true;
  int alive = 0;
  EXPECT_THROW(spawn(e, tracked(alive)), std::bad_alloc);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(e.waiting(), 0U);
}

TEST(CallableTask, ACallableThatCannotBeMovedInIsTheCallersStill) {
  counting_memory memory;
  hand_executor e;
  e.resource = &memory;
  int alive = 0;
  const tracked callable(alive);
  tracked::throws = true;
  EXPECT_THROW(spawn(e, callable), std::runtime_error);
  tracked::throws = false;
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(e.waiting(), 0U);
}

TEST(CallableTask, AClosedExecutorRefusesIt) {
  counting_memory memory;
  hand_executor e;
  e.resource = &memory;
  e.closed = true;
  int alive = 0;
  EXPECT_THROW(spawn(e, tracked(alive)), licit::executor_closed);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(e.waiting(), 0U);
}

TEST(CallableTask, ItsCallableIsDestroyedOnceAndByTheWorker) {
  hand_executor e;
  int alive = 0;
  auto h = spawn(e, tracked(alive));
  EXPECT_EQ(alive, 1);
  e.run();
  EXPECT_EQ(alive, 0);
  h.get();
  EXPECT_EQ(alive, 0);
}

TEST(CallableTask, SpawnsWhereItRuns) {
  hand_executor e;
  EXPECT_THROW(spawn([] {}), std::logic_error);
  EXPECT_EQ(licit::current_executor(), nullptr);
  auto h = spawn(e, [&] {
    EXPECT_EQ(licit::current_executor(), &e);
    return spawn([] { return 2; });
  });
  e.run();
  EXPECT_EQ(h.get().get(), 2);
}

TEST(CallableTask, TellsTheExecutorThatItBlocks) {
  hand_executor e;
  auto outer = spawn(e, [&] {
    auto inner = spawn([] { return 1; });
    return inner.get();  // blocking() runs it
  });
  e.run();
  EXPECT_EQ(outer.get(), 1);
  EXPECT_EQ(e.blocks, 1);
  EXPECT_EQ(e.unblocks, 1);
}

TEST(CallableTask, WhenBlockingIsRefusedTheHandleIsAsItWas) {
  hand_executor e;
  e.deadlocks = true;
  auto outer = spawn(e, [&] {
    auto inner = spawn([] { return 1; });
    EXPECT_THROW(inner.get(), std::system_error);
    EXPECT_THROW((void)inner.wait_for(1s), std::system_error);
    return inner;
  });
  e.run();
  EXPECT_EQ(outer.get().get(), 1);
  EXPECT_EQ(e.unblocks, 0);
}

TEST(CallableTask, AForeignThreadSleepsUntilItIsComplete) {
  thread_executor e(2);
  for (int i = 0; i != 200; ++i) {
    auto slow = spawn(e, [i] {
      if (i % 10 == 0) std::this_thread::sleep_for(100us);
      return i;
    });
    if (i % 3 == 0 && slow.wait_for(20us)) {
      EXPECT_TRUE(slow.done());
    }
    EXPECT_EQ(slow.get(), i);
  }
}

}  // namespace
