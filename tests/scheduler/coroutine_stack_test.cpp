// Chains of coroutines that await one another, on a small stack, by a compiler that does not optimise: without tail
// calls each transfer of control takes stack.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <pthread.h>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <licit/scheduler.hpp>
#include <licit/scheduler/task/block_on.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/unconstrained.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"

namespace {

using licit::spawn;
using licit::task;
using licit::waker;
using licit_test::hand_executor;

constexpr int deep = 300'000;

/// Runs it on a thread with a stack of half a megabyte.
void on_a_small_stack(std::function<void()> what) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{512} << 10);
  pthread_t thread{};
  const auto body = [](void* work) -> void* {
    (*static_cast<std::function<void()>*>(work))();
    return nullptr;
  };
  const int error = pthread_create(&thread, &attributes, body, &what);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
  pthread_join(thread, nullptr);
}

task<int> down(int depth) {
  if (depth == 0) co_return 0;
  co_return 1 + co_await down(depth - 1);
}

TEST(CoroutineStack, AChainReturns) {
  on_a_small_stack([] {
    hand_executor e;
    auto h = spawn(e, down(deep));
    e.run();
    EXPECT_EQ(h.get(), deep);
    EXPECT_EQ(licit::block_on(e, down(deep)), deep);
  });
}

TEST(CoroutineStack, AChainReturnsByAnException) {
  struct thrower {
    static task<> down(int depth) {
      if (depth == 0) throw std::runtime_error("the innermost");
      co_await down(depth - 1);
    }
  };
  on_a_small_stack([] {
    hand_executor e;
    auto h = spawn(e, thrower::down(3000));
    e.run();
    EXPECT_THROW(h.get(), std::runtime_error);
  });
}

TEST(CoroutineStack, AnUnconstrainedChainIsOneRun) {
  on_a_small_stack([] {
    hand_executor e;
    auto h = spawn(e, []() -> task<int> {
      const licit::unconstrained all_at_once;
      co_return co_await down(deep);
    }());
    e.step();
    ASSERT_TRUE(h.done());
    EXPECT_EQ(h.get(), deep);
  });
}

TEST(CoroutineStack, TheBudgetBoundsTheWayBack) {
  hand_executor e;
  auto h = spawn(e, down(deep));
  e.run();
  EXPECT_EQ(h.get(), deep);
  EXPECT_GE(e.outcomes.size(), std::size_t{2} * deep / (3 * 128)) << "a run makes 128 awaits, or at most 384 returns";
}

struct gate {
  waker who;
  task<> wait() {
    co_await licit::suspend_with([this](waker w) { who = std::move(w); });
  }
};

/// What a chain destroys, from the inside to the outside.
struct witness {
  ~witness() {
    EXPECT_EQ(last, number - 1);
    last = number;
  }
  int& last;
  int number;
};

task<> down_to(gate& end, int depth, int& last) {
  const witness mine{last, depth};
  if (depth == 0) {
    co_await end.wait();
  } else {
    co_await down_to(end, depth - 1, last);
  }
}

TEST(CoroutineStack, AChainIsCancelledFromTheInside) {
  on_a_small_stack([] {
    int last = -1;
    hand_executor e;
    gate g;
    auto h = spawn(e, down_to(g, deep, last));
    e.run();
    EXPECT_FALSE(h.done());
    h.request_stop();
    e.run();
    EXPECT_THROW(h.get(), licit::task_cancelled);
    EXPECT_EQ(last, deep);
  });
}

TEST(CoroutineStack, AChainIsCancelledOnItsWayBack) {
  on_a_small_stack([] {
    int last = -1;
    hand_executor e;
    gate g;
    auto h = spawn(e, down_to(g, deep, last));
    e.run();
    g.who.wake();
    for (int run = 0; run != 100; ++run) e.step();
    EXPECT_FALSE(h.done());
    EXPECT_GT(last, 0);
    h.request_stop();
    e.run();
    EXPECT_THROW(h.get(), licit::task_cancelled);
    EXPECT_EQ(last, deep);
  });
}

/// Tasks each of which awaits the next one, at the end of a chain, where that has not begun and is not in the slot.
struct nested {
  static task<int> each(int depth, int chain) {
    if (depth == 0) co_return 0;
    co_return 1 + co_await through(chain, depth, chain);
  }
  static task<int> through(int left, int depth, int chain) {
    if (left != 0) co_return co_await through(left - 1, depth, chain);
    auto inner = spawn(each(depth - 1, chain));
    const auto displaces_it = spawn([] {});
    co_return co_await inner;
  }
};

TEST(CoroutineStack, TasksRunInPlaceOnlyWhileThereIsStack) {
  const auto least = static_cast<std::size_t>(sysconf(_SC_THREAD_STACK_MIN));  // 128 KiB on arm64
  for (const std::size_t kibibytes : {64, 256, 512}) {
    licit::scheduler one({.workers = 1, .stack_bytes = std::max(kibibytes << 10, least)});
    for (const int chain : {0, 3, 100}) EXPECT_EQ(one.spawn(nested::each(200, chain)).get(), 200);
  }
}

}  // namespace
