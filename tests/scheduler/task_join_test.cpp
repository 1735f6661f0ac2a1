// Fork and join of coroutines.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include <licit/scheduler.hpp>
#include <licit/scheduler/sync/event.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/items.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::join;
using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit::waker;
using licit_test::each_kind;
using licit_test::everywhere;
using licit_test::hand_executor;
using licit_test::shared_memory;
using counted = licit_test::counts_itself;

task<std::uint64_t> fib(unsigned n, unsigned yields = 0) {
  if (n < 2) co_return n;
  if (yields != 0 && n % yields == 0) co_await licit::yield_now();
  auto [one, other] = co_await join(fib(n - 1, yields), fib(n - 2, yields));
  co_return one + other;
}
task<int> value(int n) { co_return n; }
task<> nothing() { co_return; }
task<int> fails(int n) {
  throw n;
  co_return 0;
}
task<int> fails_later(int n) {
  co_await licit::yield_now();
  throw n;
}

TEST(TaskJoin, GivesBothValues) {
  everywhere({1, 2, 4}, []() -> task<> {
    EXPECT_EQ(co_await fib(15), 610U);
    EXPECT_EQ(co_await fib(13, 3), 233U) << "with suspensions";
    EXPECT_EQ(co_await join(nothing(), value(2)), std::pair(std::monostate(), 2));
  });
}

TEST(TaskJoin, WithoutStealing) {
  scheduler all({.workers = 2, .stealing = false});
  EXPECT_EQ(all.spawn(fib(14)).get(), 377U);
  EXPECT_EQ(all.spawn(fib(12, 3)).get(), 144U);
  EXPECT_EQ(all.block_on(fib(12, 2)), 144U);
}

TEST(TaskJoin, ResultsOfAnyType) {
  everywhere({1, 2, 4}, []() -> task<> {
    int n = 3;
    auto owns = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(4); };
    auto refers = [](int& to) -> task<int&> { co_return to; };
    auto [mine, that] = co_await join(owns(), refers(n));
    EXPECT_EQ(*mine, 4);
    EXPECT_EQ(&that.get(), &n);
    const auto reversed = co_await join(refers(n), owns());
    EXPECT_EQ(&reversed.first.get(), &n);
    EXPECT_EQ(*reversed.second, 4);
  });
}

struct throws_when_made {
  explicit throws_when_made(int n) : made{n} {
    if (n < 0) throw std::invalid_argument("made");
  }
  throws_when_made(throws_when_made&& o) : made{o.made} {
    if (made == 0) throw std::range_error("moved");
  }
  int made;
};
task<throws_when_made> makes(int n) { co_return throws_when_made(n); }

TEST(TaskJoin, ResultsThatCannotBeMadeOrMoved) {
  everywhere({1, 2, 4}, []() -> task<> {
    const auto got = co_await join(makes(1), makes(2));
    EXPECT_EQ(got.second.made, 2);
    for (const int first : {-1, 0, 1}) {
      for (const int second : {-1, 0, 1}) {
        std::string what = "none";
        try {
          (void)co_await join(makes(first), makes(second));
        } catch (const std::exception& e) {
          what = e.what();
        }
        const int decides = first != 1 ? first : second;
        EXPECT_EQ(what, decides < 0 ? "made" : decides == 0 ? "moved" : "none") << first << ' ' << second;
      }
    }
  });
}

TEST(TaskJoin, TheFirstExceptionByTheOrderOfArguments) {
  each_kind({1, 2}, [](const scheduler_options& usual) {
    std::atomic<int> reported = 0;
    std::atomic<int> ended = 0;
    scheduler_options options = usual;
    options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
    {
      scheduler all(options);
      const auto thrown = [&](auto first, auto second) -> task<int> {
        try {
          (void)co_await join(std::move(first), std::move(second));
        } catch (int n) {
          co_return n;
        }
        co_return 0;
      };
      const auto ends = [&]() -> task<> {
        co_await licit::yield_now();
        ++ended;
      };
      const auto body = [&]() -> task<> {
        EXPECT_EQ(co_await thrown(fails(1), fails(2)), 1);
        EXPECT_EQ(co_await thrown(fails_later(1), fails(2)), 1);
        EXPECT_EQ(co_await thrown(fails(1), fails_later(2)), 1);
        EXPECT_EQ(co_await thrown(value(1), fails(2)), 2);
        EXPECT_EQ(co_await thrown(value(1), fails_later(2)), 2);
        EXPECT_EQ(co_await thrown(fails(1), ends()), 1);
        EXPECT_EQ(co_await thrown(fails_later(1), ends()), 1);
        EXPECT_EQ(co_await thrown(ends(), fails(2)), 2);
      };
      all.spawn(body).get();
      all.block_on(body);
    }
    EXPECT_EQ(ended, 6) << "the other ends too";
    EXPECT_EQ(reported, 6) << "the second exception of each join that had two";
  });
}

/// The second, which is no task, takes the caller to another scheduler; the one where the join began has ended by then.
TEST(TaskJoin, ASecondExceptionIsReportedWhereTheTaskIs) {
  std::atomic<int> reported = 0;
  scheduler_options options{.workers = 1};
  options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
  scheduler there(options);
  auto here = std::make_unique<scheduler>(scheduler_options{.workers = 1});
  std::atomic<bool> left = false;
  std::atomic<bool> ended = false;
  const auto leaves = [&]() -> task<> {
    co_await there.schedule();
    left = true;
    licit_test::await([&] { return ended.load(); });
    throw 2;
  };
  auto handle = here->spawn([&]() -> task<> { (void)co_await join(fails(1), leaves()); });
  licit_test::await([&] { return left.load(); });
  here.reset();
  ended = true;
  EXPECT_THROW(handle.get(), int);
  EXPECT_EQ(reported, 1);
}

/// The first move is into the result.
struct moves_once {
  moves_once() = default;
  moves_once(moves_once&& o) : moves{o.moves + 1} {
    if (moves == 2) throw std::range_error("moved again");
  }
  int moves = 0;
};

/// Whether or not the second is a task.
TEST(TaskJoin, ASecondExceptionIsReportedIfTheFirstCannotBeMoved) {
  std::atomic<int> reported = 0;
  scheduler_options options{.workers = 1};
  options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
  scheduler all(options);
  const auto body = []() -> task<> {
    const auto first = []() -> task<moves_once> { co_return moves_once(); };
    (void)co_await join(first(), fails(2));
  };
  EXPECT_THROW(all.spawn(body).get(), std::range_error);
  EXPECT_EQ(reported, 1);
  EXPECT_THROW(all.block_on(body), std::range_error);
  EXPECT_EQ(reported, 2);
}

TEST(TaskJoin, WhatHasNoCoroutineOrNoTask) {
  scheduler all({.workers = 1});
  std::atomic<int> alive = 0;
  const auto holds = [](counted /*held*/) -> task<> {
    ADD_FAILURE() << "it began";
    co_return;
  };
  all.spawn([&]() -> task<> {
       EXPECT_THROW((void)co_await join(task<int>(), holds(counted(alive))), std::logic_error);
       EXPECT_THROW((void)co_await join(holds(counted(alive)), task<int>()), std::logic_error);
       {
         const auto unused = join(holds(counted(alive)), holds(counted(alive)));
       }
       EXPECT_EQ(alive, 0);
     })
      .get();
}

/// Counts what is asked for.
class counts_allocations final : public std::pmr::memory_resource {
 public:
  std::atomic<std::size_t> allocations = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// On one worker, and so without thieves: to the last allocation.
TEST(TaskJoin, AllocatesFramesOnly) {
  counts_allocations memory;
  scheduler all({.workers = 1, .memory = &memory});
  all.spawn([&]() -> task<> {
       EXPECT_EQ(co_await fib(16, 3), 987U);  // the deque grows, and the queue
       const std::size_t before = memory.allocations;
       EXPECT_EQ(co_await fib(16), 987U);  // 1597 leaves, 1596 joins; it yields some twenty times
       EXPECT_EQ(memory.allocations - before, 3193U) << "a frame a coroutine";
     })
      .get();
}

task<std::size_t> chain(std::size_t n) {
  if (n == 0) co_return 0;
  const auto [deep, one] = co_await join(chain(n - 1), value(1));
  co_return deep + static_cast<std::size_t>(one);
}
task<std::size_t> chain_of_seconds(std::size_t n) {
  if (n == 0) co_return 0;
  const auto [one, deep] = co_await join(value(1), chain_of_seconds(n - 1));
  co_return deep + static_cast<std::size_t>(one);
}

TEST(TaskJoin, StackDoesNotGrow) {
  each_kind({1, 2}, [](const scheduler_options& usual) {
    scheduler_options options = usual;
    options.stack_bytes = 256 << 10;
    scheduler all(options);
    EXPECT_EQ(all.spawn(chain(20'000)).get(), 20'000U);
    EXPECT_EQ(all.spawn(chain_of_seconds(20'000)).get(), 20'000U);
  });
}

TEST(TaskJoin, ALongRecursionYields) {
  scheduler all({.workers = 1});
  std::atomic<bool> ran = false;
  all.spawn([&]() -> task<> {
       auto other = licit::spawn([&] { ran = true; });
       (void)co_await fib(16);
       EXPECT_TRUE(ran);
     })
      .get();
}

TEST(TaskJoin, WhatTheFirstWaitsForTheSecondMayDo) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    for (int i = 0; i != 50; ++i) {
      licit::event done;
      const auto waits = [&]() -> task<> { co_await done.wait(); };
      const auto sets = [&]() -> task<> {
        done.set();
        co_return;
      };
      const auto inner = [&]() -> task<> { (void)co_await join(waits(), nothing()); };
      const auto outer = [&]() -> task<> { (void)co_await join(inner(), sets()); };
      all.spawn(outer()).get();
    }
  });
}

TEST(TaskJoin, ACancellationReachesBoth) {
  each_kind({1, 2, 4}, [](const scheduler_options& options) {
    std::atomic<int> alive = 0;
    std::atomic<int> begun = 0;
    scheduler all(options);
    const auto for_ever = [&](counted /*held*/) -> task<> {
      ++begun;
      for (;;) co_await licit::suspend_with([](waker /*dropped*/) {});
    };
    const auto polls = [&](counted /*held*/) -> task<> {
      const std::stop_token stop = co_await licit::get_stop_token();
      ++begun;
      while (!stop.stop_requested()) std::this_thread::yield();
    };
    const auto both = [&](auto first, auto second) -> task<> {
      const counted mine(alive);
      (void)co_await join(std::move(first), std::move(second));
    };
    const auto cancelled = [&](auto make, int expected) {
      begun = 0;
      auto handle = all.spawn(make());
      while (begun < expected) std::this_thread::yield();
      handle.request_stop();
      try {
        handle.get();
      } catch (const licit::task_cancelled&) {
      } catch (int n) {
        EXPECT_EQ(n, 1) << "the second ended when it was told";
      }
      EXPECT_EQ(alive, 0);
    };
    const auto held = [&] { return counted(alive); };
    cancelled([&] { return both(for_ever(held()), for_ever(held())); }, 2);
    cancelled([&] { return both(nothing(), for_ever(held())); }, 1);
    cancelled([&] { return both(nothing(), polls(held())); }, 1);
    cancelled([&] { return both(fails_later(1), polls(held())); }, 1);
    cancelled([&] { return both(polls(held()), for_ever(held())); }, 1);
    if (options.workers != 1) {  // one would have nobody to tell the second, which has it
      const auto goes_on = []() -> task<> { co_await licit::suspend_with([](const waker& w) { w.wake(); }); };
      cancelled([&] { return both(goes_on(), polls(held())); }, 1);
    }
    cancelled([&] { return both(both(for_ever(held()), for_ever(held())), for_ever(held())); }, 3);
  });
}

/// The second runs within the caller, or is a task of its own.
TEST(TaskJoin, WhatTheFirstThrewIsReportedIfTheCallerIsCancelled) {
  each_kind({1, 2}, [](const scheduler_options& usual) {
    for (const bool as_task : {false, true}) {
      std::atomic<int> reported = 0;
      std::atomic<bool> begun = false;
      scheduler_options options = usual;
      options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
      scheduler all(options);
      const auto first = [&]() -> task<> {
        if (as_task) co_await licit::suspend_with([](const waker& w) { w.wake(); });
        throw 1;
      };
      const auto for_ever = [&]() -> task<> {
        begun = true;
        for (;;) co_await licit::suspend_with([](waker /*dropped*/) {});
      };
      auto handle = all.spawn([&]() -> task<> { (void)co_await join(first(), for_ever()); });
      licit_test::await([&] { return begun && licit_test::all_asleep(all); });  // the first has thrown
      handle.request_stop();
      EXPECT_THROW(handle.get(), licit::task_cancelled);
      EXPECT_EQ(reported, 1) << "the second is a task: " << as_task;
    }
  });
}

TEST(TaskJoin, WhatTheFirstThrewIsReportedIfTheSecondEndsWhileTheCallerCancelsIt) {
  std::atomic<int> reported = 0;
  scheduler_options options{.workers = 2};
  options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
  scheduler all(options);
  std::atomic<bool> known = false;
  std::atomic<bool> begun = false;
  std::atomic<bool> told = false;
  std::optional<std::stop_callback<std::function<void()>>> callback;  // not in the second, which ends before its return
  licit::join_handle<> handle;
  const auto first = [&]() -> task<> {
    licit_test::await([&] { return known.load(); });
    co_await licit::suspend_with([](const waker& w) { w.wake(); });  // the second becomes a task
    licit_test::await([&] { return begun.load(); });
    handle.request_stop();  // this run continues, and its end cancels the second
    throw 1;
  };
  const auto second = [&]() -> task<> {
    const std::stop_token stop = co_await licit::get_stop_token();
    callback.emplace(stop, [&] {
      told = true;
      licit_test::await([&] { return all.metrics().total().counts.finished == 1; });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // for the few steps between the count and the end
    });
    begun = true;
    licit_test::await([&] { return told.load(); });
  };
  handle = all.spawn([&]() -> task<> { (void)co_await join(first(), second()); });
  known = true;
  EXPECT_THROW(handle.get(), licit::task_cancelled);
  EXPECT_EQ(reported, 1);
}

/// A long return yields on its way. Of some length it does so between the end of the second and the caller.
TEST(TaskJoin, WhatBothThrewIsReportedIfTheCallerIsCancelledBeforeItGoesOn) {
  std::atomic<int> reported = 0;
  scheduler_options options{.workers = 1, .budget = 32};
  options.on_unobserved = [&](const std::exception_ptr& /*any*/) { ++reported; };
  scheduler all(options);
  int between = 0;
  for (int length = 80; length != 140; ++length) {
    reported = 0;
    bool second_threw = false;
    bool went_on = false;
    std::atomic<bool> known = false;
    licit::join_handle<> handle;
    licit::join_handle<> stops;
    const std::function<task<>(int)> chain_that_throws = [&](int n) -> task<> {
      if (n != 0) co_return co_await chain_that_throws(n - 1);
      stops = licit::spawn([&] { handle.request_stop(); });  // runs when the caller's task yields
      throw 2;
    };
    const auto second = [&]() -> task<> {
      try {
        co_await chain_that_throws(length);
      } catch (int) {
        second_threw = true;
        throw;
      }
    };
    handle = all.spawn([&]() -> task<> {
      licit_test::await([&] { return known.load(); });
      try {
        (void)co_await join(fails(1), second());
      } catch (int) {
        went_on = true;
        throw;
      }
    });
    known = true;
    licit_test::await([&] { return handle.done(); });
    stops.get();
    try {
      handle.get();
    } catch (const licit::task_cancelled&) {
    } catch (int n) {
      EXPECT_EQ(n, 1);
    }
    const bool is_between = second_threw && !went_on;
    EXPECT_EQ(reported, is_between ? 2 : 1) << length;
    between += is_between ? 1 : 0;
  }
  EXPECT_NE(between, 0) << "no length was such that both had ended";
}

/// Each second that ends wakes the task, which must not look at all the others again: that would take longer than a
/// test may (29 s for 50,000).
TEST(TaskJoin, ManyThatWaitAreCancelledInLinearTime) {
  constexpr int depth = 250'000;
  std::atomic<int> begun = 0;
  const auto for_ever = [&]() -> task<> {
    ++begun;
    for (;;) co_await licit::suspend_with([](waker /*dropped*/) {});
  };
  const std::function<task<>(int)> nest = [&](int n) -> task<> {
    if (n == 0) co_return co_await for_ever();
    (void)co_await join(nest(n - 1), for_ever());
  };
  scheduler all({.workers = 1});
  auto handle = all.spawn(nest(depth));
  licit_test::await([&] { return begun == depth + 1; });
  handle.request_stop();
  EXPECT_THROW(handle.get(), licit::task_cancelled);
}

TEST(TaskJoin, AShutdownInTheMiddle) {
  each_kind({1, 2, 4}, [](const scheduler_options& usual) {
    for (int i = 0; i != 20; ++i) {
      shared_memory memory;
      scheduler_options options = usual;
      options.memory = &memory;
      std::atomic<int> alive = 0;
      {
        scheduler all(options);
        const std::function<task<>(unsigned)> tree = [&](unsigned n) -> task<> {
          const counted mine(alive);
          if (n == 0) co_return;
          if (n % 5 == 0) co_await licit::yield_now();
          (void)co_await join(tree(n - 1), tree(n - 1));
        };
        all.spawn(tree(12)).detach();
        if (i % 2 == 0) std::this_thread::yield();
        EXPECT_EQ(all.shutdown(i % 3 == 0 ? licit::shutdown_kind::drain : licit::shutdown_kind::cancel).left, 0U);
      }
      EXPECT_EQ(alive, 0);
      EXPECT_EQ(memory.live(), 0);
    }
  });
}

TEST(TaskJoin, AnExecutorThatRefusesTheSecond) {
  hand_executor all;
  std::exception_ptr thrown;
  bool first_ran = false;
  auto handle = licit::spawn(all, [&]() -> task<> {
    all.closed = true;
    const auto first = [&]() -> task<> {
      first_ran = true;
      co_return;
    };
    EXPECT_THROW((void)co_await join(first(), value(2)), licit::executor_closed);
    EXPECT_THROW((void)co_await join(fails(1), value(2)), int) << "the first exception comes first";
  });
  all.run();
  EXPECT_TRUE(first_ran);
  EXPECT_TRUE(handle.done());
}

/// Runs the body as the half that another worker has stolen, while the owner waits for it.
template <class Body>
void in_a_stolen_half(scheduler& all, Body body) {
  all.spawn([&] {
       std::atomic<bool> begun = false;
       (void)licit::join([&] { licit_test::await([&] { return begun.load(); }); },
                         [&] {
                           begun = true;
                           body();
                         });
     })
      .get();
}

/// Its joiner runs no tasks, and must not be the only one who has the second.
TEST(TaskJoin, WithinAHalfThatWasStolen) {
  scheduler all({.workers = 2});
  in_a_stolen_half(all, [] {
    const auto slow = []() -> task<> {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // for the joiner to look
      co_return;
    };
    licit::spawn([&]() -> task<> { (void)co_await join(slow(), nothing()); }).get();
  });
}

TEST(TaskJoin, TreesWithinHalvesThatWereStolen) {
  scheduler all({.workers = 3});  // one waits in the join, one in get
  for (int i = 0; i != 20; ++i) {
    in_a_stolen_half(all, [] {
      EXPECT_EQ(licit::spawn(fib(12)).get(), 144U);
      EXPECT_EQ(licit::spawn(fib(10, 3)).get(), 55U);
    });
  }
}

// Or the test does not end. Another worker may take the caller; it then runs both, and both see its stop.
TEST(TaskJoin, ASecondThatRunsInPlaceIsCancelled) {
  scheduler all({.workers = 4});  // one waits in the join, one in get, one polls
  in_a_stolen_half(all, [] {
    std::atomic<bool> begun = false;
    const auto polls = [&]() -> task<> {
      begun = true;
      const std::stop_token stop = co_await licit::get_stop_token();
      while (!stop.stop_requested()) std::this_thread::yield();
    };
    auto handle = licit::spawn([&]() -> task<> { (void)co_await join(nothing(), polls()); });
    std::jthread cancels([&] {
      licit_test::await([&] { return begun.load(); });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      handle.request_stop();
    });
    try {
      handle.get();
    } catch (const licit::task_cancelled&) {
      EXPECT_TRUE(begun);
    }
  });
}

}  // namespace
