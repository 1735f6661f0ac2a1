// The registry of live tasks: what it finds, what it releases, and how large it is.
#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <new>
#include <stop_token>

#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task_registry.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/memory.hpp"

namespace {

using licit::spawn;
using licit::task;
using licit_test::counting_memory;
using licit_test::hand_executor;
using licit_test::task_registry;

task<> waits() {
  for (;;) co_await licit::suspend_with([](licit::waker /*dropped*/) {});
}
task<> ends() { co_return; }

TEST(TaskRegistry, CancelsWhatIsSuspendedAndTellsWhatRuns) {
  task_registry all{licit::default_memory()};
  hand_executor e;
  e.registry = &all;
  auto suspended = spawn(e, waits());
  auto complete = spawn(e, ends());
  e.run();
  auto runs = spawn(e, [&all](const std::stop_token& stop) {
    EXPECT_FALSE(stop.stop_requested());
    EXPECT_EQ(all.cancel_all(), 2U) << "itself, and the suspended one";
    return stop.stop_requested();
  });
  e.run();
  EXPECT_TRUE(runs.get());
  EXPECT_THROW(suspended.get(), licit::task_cancelled);
  complete.get();
}

TEST(TaskRegistry, IsClosedOnceAndRefusesThen) {
  task_registry all{licit::default_memory()};
  hand_executor e;
  e.registry = &all;
  auto suspended = spawn(e, waits());
  e.run();
  EXPECT_EQ(all.cancel_all(), 1U);
  EXPECT_EQ(all.cancel_all(), 0U);
  EXPECT_THROW(spawn(e, waits()), licit::executor_closed);
  e.run();
  EXPECT_THROW(suspended.get(), licit::task_cancelled);
}

TEST(TaskRegistry, KeepsNoCompleteTask) {
  counting_memory memory;
  task_registry all{licit::default_memory()};
  hand_executor e;
  e.registry = &all;
  e.resource = &memory;
  for (int i = 0; i != 10000; ++i) {
    spawn(e, ends()).detach();
    e.run();
    ASSERT_EQ(memory.live_blocks(), 0U);
  }
  EXPECT_EQ(all.slots(), 64U);
}

// With so many tasks that stay there are at most 8/3 slots a task, however many others come and go.
TEST(TaskRegistry, ItsSlotsFollowTheMostTasksAtOnce) {
  for (const std::size_t stay : {0, 1, 47, 48, 49, 64, 95, 96, 97, 1000}) {
    counting_memory memory;
    {
      task_registry all{memory};
      hand_executor e;
      e.registry = &all;
      for (std::size_t i = 0; i != stay; ++i) spawn(e, waits()).detach();
      e.run();
      for (int i = 0; i != 20000; ++i) {
        spawn(e, ends()).detach();
        e.run();
      }
      EXPECT_LE(all.slots(), std::max<std::size_t>(64, 8 * (stay + 1) / 3)) << stay;
      EXPECT_EQ(memory.live_bytes(), all.slots() * sizeof(void*)) << "nothing else is allocated";
      EXPECT_EQ(all.cancel_all(), stay);
      e.run();
    }
    EXPECT_EQ(memory.live_bytes(), 0U);
    EXPECT_EQ(memory.wrong_returns(), 0U);
  }
}

TEST(TaskRegistry, WithoutMemoryNothingIsSpawned) {
  counting_memory memory;
  task_registry all{memory};
  hand_executor e;
  e.registry = &all;
  memory.failing = true;
  EXPECT_THROW(spawn(e, waits()), std::bad_alloc);
  EXPECT_EQ(all.slots(), 0U);
  memory.failing = false;
  for (int i = 0; i != 64; ++i) spawn(e, waits()).detach();
  memory.failing = true;
  EXPECT_THROW(spawn(e, waits()), std::bad_alloc) << "all slots are in use";
  e.run();
  EXPECT_EQ(all.cancel_all(), 64U);
  e.run();
}

}  // namespace
