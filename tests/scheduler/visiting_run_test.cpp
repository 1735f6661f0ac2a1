// Tasks that threads run which are no workers: those for which `block_on` and `enter` wait.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <sys/mman.h>
#include <system_error>
#include <thread>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::executor_closed;
using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::await;
using licit_test::each_kind;
using licit_test::gate;

/// While it lives, no worker runs anything.
class workers_held {
 public:
  explicit workers_held(scheduler& all) {
    for (std::size_t i = 0; i != all.workers(); ++i) held_.push_back(all.spawn([this] { stop_.pass(); }));
    stop_.await_arrivals(static_cast<int>(all.workers()));
  }
  ~workers_held() {
    stop_.open();
    for (auto& each : held_) each.get();
  }
  workers_held(const workers_held&) = delete;
  workers_held& operator=(const workers_held&) = delete;

 private:
  gate stop_;
  std::vector<licit::join_handle<void>> held_;
};

task<int> forked(int n) {
  if (n < 2) co_return n;
  auto h = licit::spawn(forked(n - 1));
  const int other = co_await forked(n - 2);
  co_return other + co_await h;
}

task<int> given(int n) { co_return n; }

/// Whether the task runs in the thread.
task<bool> runs_in(std::thread::id thread) { co_return std::this_thread::get_id() == thread; }

TEST(VisitingRun, ABlockOnNeedsNoWorkerForItsOwnTasks) {
  each_kind({1, 2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    const workers_held none(all);
    EXPECT_EQ(all.block_on(forked(12)), 144);
    const auto each_way = []() -> task<int> {
      const auto [one, two] = co_await licit::when_all(given(1), given(2));
      const auto [three, four] = co_await licit::join(given(3), given(4));
      std::function<int()> counts = [] { return 5; };
      const int five = licit::spawn(counts).get();
      co_return one + two + three + four + five + co_await licit::spawn(counts);
    };
    EXPECT_EQ(all.block_on(each_way), 20);
    EXPECT_EQ(all.enter([] { return licit::spawn([] { return licit::spawn([] { return 6; }).get(); }).get(); }), 6);
  });
}

/// Its children, which it has no handles of, stay with the workers.
TEST(VisitingRun, ABodyOfAScope) {
  each_kind({1, 2}, [](scheduler_options options) {
    options.budget = 2;
    scheduler all(options);
    std::atomic<int> children = 0;
    const auto inner = []() -> task<int> {
      co_return co_await licit::in_scope([](licit::scope& /*none*/) -> task<int> {
        co_return co_await licit::spawn(given(2)) + co_await licit::spawn(given(3));
      });
    };
    const auto throws = []() -> task<> {
      co_await licit::in_scope([](licit::scope& /*none*/) -> task<> { throw std::runtime_error("x"); });
    };
    {
      const workers_held none(all);
      EXPECT_EQ(all.block_on(inner), 5);
      EXPECT_EQ(all.block_on([&]() -> task<int> { co_return co_await licit::spawn(inner()); }), 5) << "in a child";
      EXPECT_THROW(all.block_on(throws), std::runtime_error);
    }
    const auto spawns = [&]() -> task<std::thread::id> {
      co_return co_await licit::in_scope([&](licit::scope& here) -> task<std::thread::id> {
        for (int i = 0; i != 100; ++i) here.spawn([&] { ++children; });
        co_return std::this_thread::get_id();
      });
    };
    const auto stops = []() -> task<> {
      co_await licit::in_scope([](licit::scope& here) -> task<> {
        const std::stop_token own = co_await licit::get_stop_token();  // at a worker, so that it can be cancelled
        here.request_stop();
        EXPECT_TRUE(own.stop_requested());
        for (;;) co_await licit::yield_now();
      });
    };
    (void)all.block_on(spawns);
    EXPECT_EQ(children, 100);
    EXPECT_THROW(all.block_on(stops), licit::task_cancelled);
  });
}

/// The budget is for the sake of others, and this thread has no others.
TEST(VisitingRun, NoBudgetBoundsThem) {
  each_kind({1, 2}, [](scheduler_options options) {
    options.budget = 10;
    scheduler all(options);
    const auto loop = []() -> task<int> {
      int sum = 0;
      for (int i = 0; i != 100; ++i) {
        sum += co_await licit::spawn(given(1));
        const auto [one, two] = co_await licit::join(given(1), given(1));
        sum += one + two;
      }
      std::vector<task<int>> many;
      for (int i = 0; i != 100; ++i) many.push_back(given(1));
      for (const int each : co_await licit::when_all(std::move(many))) sum += each;
      co_return sum;
    };
    const auto awaits = []() -> task<int> {
      int sum = 0;
      for (int i = 0; i != 100; ++i) sum += co_await licit::spawn(given(1));
      co_return sum;
    };
    const workers_held none(all);
    EXPECT_EQ(all.block_on(loop), 400);
    EXPECT_EQ(all.block_on([&]() -> task<int> { co_return co_await licit::spawn(awaits); }), 100);
  });
}

/// The thread is in a call of the task's scheduler, in whatever else it is.
TEST(VisitingRun, WithinCallsOfOtherSchedulers) {
  scheduler a{{.workers = 1}};
  scheduler b{{.workers = 1}};
  const workers_held none(a);
  const auto gets = [&a] { return a.spawn([] { return 1; }).get(); };
  EXPECT_EQ(b.spawn([&] { return a.enter(gets); }).get(), 1) << "by a worker of b";
  EXPECT_EQ(a.enter([&] { return b.enter(gets); }), 1);
  EXPECT_EQ(a.enter([&] { return a.spawn([&] { return b.enter(gets); }).get(); }), 1);
  EXPECT_EQ(a.enter([&] { return b.block_on([&]() -> task<int> { co_return co_await a.spawn(given(1)); }); }), 1);
}

/// Entries that they leave in the inject queue are bounded, as is the memory of their tasks.
TEST(VisitingRun, LeaveBoundedMemory) {
  licit_test::shared_memory memory;
  {
    scheduler_options options{.workers = 1};
    options.memory = &memory;
    scheduler all(options);
    constexpr int number = 3000;
    std::thread gets;
    {
      const workers_held none(all);
      gets = std::thread([&all] {
        all.enter([] {
          for (int i = 0; i != number; ++i) EXPECT_EQ(licit::spawn([i] { return i; }).get(), i);
        });
      });
      await([&] { return all.metrics().inject_depth > 1000; });
      std::uint64_t most = 0;
      for (int i = 0; i != 1000; ++i) most = std::max(most, all.metrics().inject_depth);
      EXPECT_LE(most, 1026U);
    }
    gets.join();
    EXPECT_EQ(all.shutdown().finished, number + 1U);
  }
  EXPECT_EQ(memory.live(), 0);
}

TEST(VisitingRun, IsOneOfATask) {
  scheduler_options options{.workers = 1};
  options.budget = 3;
  scheduler all(options);
  const workers_held none(all);
  const auto waits = [&all]() -> task<int> {
    co_return co_await licit::spawn([&all]() -> task<int> {
      EXPECT_EQ(licit::this_context().task != nullptr, true);
      EXPECT_EQ(licit::this_context().whole, 3U);
      EXPECT_THROW((void)all.block_on(given(1)), std::system_error);
      EXPECT_THROW((void)all.shutdown(), std::logic_error);
      const auto [left, right] = licit::join([] { return 1; }, [] { return 2; });
      co_return left + right;
    });
  };
  EXPECT_EQ(all.block_on(waits), 3);
}

/// glibc declares pthread_self `const`: clang before 16 keeps what get_id() said before a suspension.
[[gnu::noinline]] std::thread::id asked_anew() {
  asm volatile("" ::: "memory");
  return std::this_thread::get_id();
}

TEST(VisitingRun, OnlyTheFirstIsHere) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id first;
    std::thread::id second;
    {
      auto held = std::make_unique<workers_held>(all);
      all.block_on([&]() -> task<> {
        auto handle = licit::spawn([&]() -> task<> {
          first = std::this_thread::get_id();
          held.reset();  // the workers go on
          co_await licit::yield_now();
          second = asked_anew();
        });
        co_await handle;
      });
    }
    EXPECT_EQ(first, here);
    EXPECT_NE(second, here);
  });
}

/// Where only a worker may run the task.
TEST(VisitingRun, NotWhereAWorkerMust) {
  const auto here = std::this_thread::get_id();
  const auto runs_here = [here](scheduler& all) {
    return all.block_on([here]() -> task<bool> {
      bool any = false;
      for (int i = 0; i != 100; ++i) any = co_await licit::spawn(runs_in(here)) || any;
      co_return any;
    });
  };
  {
    scheduler all{{.workers = 2, .waiters_run = false}};
    EXPECT_FALSE(runs_here(all));
    EXPECT_EQ(all.metrics().outside, licit::outside_counts<std::uint64_t>{});
  }
  {
    scheduler all{{.workers = 2, .stealing = false}};
    EXPECT_FALSE(runs_here(all));
  }
  {
    licit::manual_clock clock;
    scheduler_options options{.workers = 2};
    options.clock = &clock;
    scheduler all(options);
    EXPECT_FALSE(runs_here(all));
  }
  scheduler all{{.workers = 2}};
  scheduler other{{.workers = 1}};
  all.block_on([&]() -> task<> {
    for (int i = 0; i != 100; ++i) {
      EXPECT_FALSE(co_await all.spawn_with({.worker = 1}, runs_in(here)));
      EXPECT_FALSE(co_await other.spawn(runs_in(here))) << "it is another scheduler's";
    }
  });
}

TEST(VisitingRun, IsCounted) {
  scheduler all{{.workers = 1}};
  {
    const workers_held none(all);
    all.block_on([]() -> task<> {
      co_await licit::spawn(given(1));
      try {
        co_await licit::spawn([]() -> task<> { throw std::runtime_error("x"); });
        ADD_FAILURE();
      } catch (const std::runtime_error&) {
      }
      auto cancelled = licit::spawn(given(2));
      cancelled.request_stop();
      EXPECT_THROW(cancelled.get(), licit::task_cancelled);
    });
  }
  const licit::shutdown_report report = all.shutdown();
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.finished, 3U) << "the worker's own, and two";
  EXPECT_EQ(report.cancelled, 1U);
  const licit::scheduler_snapshot counted = all.metrics();
  const licit::outside_counts<std::uint64_t> outside{.polls = 3, .finished = 1, .threw = 1, .cancelled = 1};
  EXPECT_EQ(counted.outside, outside);
  EXPECT_EQ(counted.total().counts.finished, 2U);
  EXPECT_EQ(counted.live_tasks(), 0U);
}

/// A shutdown that drains lets in what tasks spawn, wherever they run, and waits for those that run in other threads.
TEST(VisitingRun, AShutdownWaitsForItAndForItsChildren) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> inside = false;
    std::atomic<bool> closing = false;
    std::atomic<int> children = 0;
    std::thread closes([&] {
      await([&] { return inside.load(); });
      const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);
      EXPECT_TRUE(report.complete());
      EXPECT_EQ(children, 1);
    });
    auto held = std::make_unique<workers_held>(all);
    const auto body = [&]() -> task<> {
      co_await licit::spawn([&] {
        inside = true;
        std::thread([&] {
          await([&] {
            try {
              all.spawn([] {}).detach();
              return false;
            } catch (const executor_closed&) {
              return true;
            }
          });
        }).join();
        closing = true;
        held.reset();
        licit::spawn([&] { ++children; }).detach();
      });
    };
    all.block_on(body);
    closes.join();
    EXPECT_TRUE(closing);
  });
}

task<int> nested(int depth) {
  if (depth == 0) co_return 0;
  auto h = licit::spawn(nested(depth - 1));
  co_return 1 + co_await h;
}

TEST(VisitingRun, TheStackBoundsNoNesting) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    EXPECT_EQ(all.block_on(nested(20'000)), 20'000);
  });
}

#if defined(__linux__) && defined(__x86_64__)
int sum_by_get(int n) {
  return n == 0 ? 0 : 1 + licit::spawn([n] { return sum_by_get(n - 1); }).get();
}
struct fiber {
  scheduler* all;
  ucontext_t own;
  ucontext_t back;
  int sum = 0;
};
thread_local fiber* of_thread = nullptr;
void run_fiber() {
  of_thread->sum = of_thread->all->enter([] { return sum_by_get(200); });
}

/// Of a fiber's stack nothing is known: it may be small.
TEST(VisitingRun, NotOnAFiber) {
  if (licit_test::scale < 80) GTEST_SKIP() << "sanitizers do not know of the other stack";
  constexpr std::size_t bytes = std::size_t{128} << 10;
  void* const stack = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(stack, MAP_FAILED);
  scheduler all{{.workers = 1}};
  fiber one{.all = &all, .own = {}, .back = {}};
  std::thread([&] {  // whose stack is below the fiber's
    of_thread = &one;
    getcontext(&one.own);
    one.own.uc_stack.ss_sp = stack;
    one.own.uc_stack.ss_size = bytes;
    one.own.uc_link = &one.back;
    makecontext(&one.own, &run_fiber, 0);
    swapcontext(&one.back, &one.own);
  })
      .join();
  EXPECT_EQ(one.sum, 200);
  EXPECT_EQ(all.metrics().outside.polls, 0U);
  munmap(stack, bytes);
}
#endif

/// A task gets, on the stack above the task that waits for it, that one's result. No worker could help.
TEST(VisitingRun, ACycleOnOneStackIsFound) {
  using licit::join_handle;
  scheduler all{{.workers = 2}};
  gate stop;
  auto held = all.spawn([&stop] { stop.pass(); });
  stop.await_arrivals(1);
  const auto gets = [](join_handle<int>& below) {
    return [&below] {
      try {
        return below.get();
      } catch (const std::system_error& e) {
        return e.code() == std::errc::resource_deadlock_would_occur ? 5 : 0;
      }
    };
  };
  join_handle<int> outer;
  gate begin;
  outer = all.spawn([&] {
    begin.pass();
    return licit::spawn(gets(outer)).get();
  });
  begin.open();
  EXPECT_EQ(outer.get(), 5);
  auto other = all.spawn([&stop] { stop.pass(); });  // a worker that ran one of the two would wait for this thread
  stop.await_arrivals(2);
  all.block_on([&]() -> task<> {
    join_handle<int> here;
    here = licit::spawn([](join_handle<int>& own, auto waits) -> task<int> {
      co_return co_await licit::spawn(waits(own));
    }(here, gets));
    EXPECT_EQ(co_await here, 5);
  });
  stop.open();
  held.get();
  other.get();
}

constexpr int visit_rounds = licit_test::scale < 80 ? 10 : 60;

/// Threads that wait, workers, and shutdowns that cancel at any moment.
TEST(VisitingRun, LosesNothing) {
  licit_test::shared_memory memory;
  each_kind({1, 3}, [&](scheduler_options options) {
    options.memory = &memory;
    for (int round = 0; round != visit_rounds; ++round) {
      std::uint64_t entered = 0;
      {
        scheduler all(options);
        std::vector<std::thread> threads;
        std::atomic<int> sums = 0;
        for (int i = 0; i != 3; ++i) {
          threads.emplace_back([&] {
            for (int k = 0; k != 5; ++k) {
              try {
                sums += all.block_on(forked(9));
              } catch (const executor_closed&) {
              } catch (const licit::task_cancelled&) {
              }
            }
          });
        }
        const bool cancels = round % 2 != 0;
        if (cancels) {
          std::this_thread::sleep_for(std::chrono::microseconds(round * 20));
          (void)all.shutdown(licit::shutdown_kind::cancel);
        }
        for (std::thread& each : threads) each.join();
        const licit::shutdown_report report = all.shutdown();
        const licit::scheduler_snapshot counted = all.metrics();
        entered = counted.total().counts.spawned + counted.spawned_outside;
        EXPECT_TRUE(report.complete());
        EXPECT_EQ(report.finished + report.cancelled, entered);
        if (!cancels) {
          EXPECT_EQ(sums, 15 * 34);
        }
      }
      ASSERT_EQ(memory.live(), 0);
    }
  });
}

}  // namespace
