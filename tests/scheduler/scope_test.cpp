// Structured concurrency: scopes, when_all, when_any.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::scheduler;
using licit::scheduler_options;
using licit::scope;
using licit::task;
using licit::waker;
using licit_test::await;
using counted = licit_test::counts_itself;
using licit_test::each_kind;
using licit_test::everywhere;
using licit_test::shared_memory;

task<> for_ever() {
  for (;;) co_await licit::suspend_with([](waker /*dropped*/) {});
}
task<int> value(int n) {
  co_await licit::yield_now();
  co_return n;
}
task<int> fails(int n) {
  co_await licit::yield_now();
  throw n;
}

TEST(Scope, GoesOnWhenAllChildrenHaveEnded) {
  everywhere({2, 4}, []() -> task<> {
    int by_coroutines = 0;  // in this frame
    std::atomic<int> ended = 0;
    const int got = co_await licit::in_scope([&](scope& s) -> task<int> {
      s.spawn([&]() -> task<> {
        by_coroutines += co_await value(1);
        for (int i = 0; i != 10; ++i) s.spawn([&ended](int n) { ended += n; }, i);  // a child spawns
      });
      for (int i = 0; i != 50; ++i) s.spawn(value(i));
      co_return 7;
    });
    EXPECT_EQ(got, 7);
    EXPECT_EQ(by_coroutines, 1);
    EXPECT_EQ(ended, 45);
  });
}

TEST(Scope, NothingMayBeSpawned) {
  everywhere({2, 4}, []() -> task<> {
    co_await licit::in_scope([](scope& /*unused*/) -> task<> { co_return; });
    auto moved = std::make_unique<int>(3);
    auto got =
        co_await licit::in_scope([&](scope& /*unused*/) -> task<std::unique_ptr<int>> { co_return std::move(moved); });
    EXPECT_EQ(*got, 3);
    int n = 0;
    int& same = co_await licit::in_scope([&](scope& /*unused*/) -> task<int&> { co_return n; });
    EXPECT_EQ(&same, &n);
  });
}

TEST(Scope, TheFirstExceptionCancelsTheRest) {
  everywhere({2, 4}, []() -> task<> {
    std::atomic<int> alive = 0;
    std::atomic<bool> told = false;
    try {
      co_await licit::in_scope([&](scope& s) -> task<> {
        s.spawn([held = counted(alive)]() -> task<> { co_await for_ever(); });
        s.spawn(fails(3));
        s.spawn([&told, held = counted(alive)](const std::stop_token& stop) {
          while (!stop.stop_requested()) std::this_thread::yield();
          told = true;
        });
        const counted mine(alive);
        co_await for_ever();
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (int n) {
      EXPECT_EQ(n, 3);
    }
    EXPECT_EQ(alive, 0) << "what the children held is gone";
  });
}

TEST(Scope, LaterExceptionsAreReported) {
  std::atomic<int> reported = 0;
  std::atomic<int> other = 0;
  scheduler_options options{.workers = 2};
  options.on_unobserved = [&](const std::exception_ptr& any) {
    ++reported;
    try {
      std::rethrow_exception(any);
    } catch (int n) {
      other = n;
    }
  };
  {
    scheduler all(options);
    EXPECT_THROW(all.block_on([]() -> task<> {
      std::atomic<bool> begun = false;
      co_await licit::in_scope([&](scope& s) -> task<> {
        s.spawn([&](const std::stop_token& stop) {
          begun = true;
          while (!stop.stop_requested()) std::this_thread::yield();
          throw 2;
        });
        while (!begun) co_await licit::yield_now();
        throw 1;
      });
    }),
                 int);
  }
  EXPECT_EQ(reported, 1) << "not the first, which the scope threw";
  EXPECT_EQ(other, 2);
}

TEST(Scope, ABodyThatThrowsAtOnce) {
  everywhere({2, 4}, []() -> task<> {
    std::atomic<int> alive = 0;
    bool thrown = false;
    try {
      co_await licit::in_scope([&](scope& s) -> task<> {
        s.spawn([held = counted(alive)]() -> task<> { co_await for_ever(); });
        throw std::runtime_error("the callable, not its coroutine");
        return for_ever();
      });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    EXPECT_EQ(alive, 0);
  });
}

TEST(Scope, AStopIsForBodyAndChildren) {
  everywhere({2, 4}, []() -> task<> {
    std::atomic<int> alive = 0;
    bool cancelled = false;
    try {
      co_await licit::in_scope([&](scope& s) -> task<> {
        s.spawn([held = counted(alive)]() -> task<> { co_await for_ever(); });
        s.request_stop();
        s.spawn([] { ADD_FAILURE() << "it ran in a scope that is cancelled"; });
        s.spawn([held = counted(alive)]() -> task<> { co_await for_ever(); });
        co_await for_ever();
      });
    } catch (const licit::task_cancelled&) {
      cancelled = true;
    }
    EXPECT_TRUE(cancelled);
    EXPECT_EQ(alive, 0);
  });
}

/// Lives in a parent's frame, and is used by its children to their end.
struct parents {
  std::atomic<int> users = 0;
  std::atomic<bool>* gone;
  explicit parents(std::atomic<bool>& tells) : gone{&tells} {}
  ~parents() {
    EXPECT_EQ(users, 0) << "a child runs when the parent's frame is destroyed";
    *gone = true;
  }
};
task<> with_children(std::atomic<bool>& gone, std::atomic<int>& begun, int depth) {
  parents mine(gone);
  co_await licit::in_scope([&](scope& s) -> task<> {
    s.spawn([&](const std::stop_token& stop) {
      ++mine.users;
      ++begun;
      while (!stop.stop_requested()) std::this_thread::yield();
      std::this_thread::yield();
      --mine.users;
    });
    if (depth != 0) {
      std::atomic<bool> inner = false;
      co_await with_children(inner, begun, depth - 1);
    }
    co_await for_ever();
  });
}

TEST(Scope, CancellingTheParentCancelsTheChildrenFirst) {
  each_kind({4}, [](const scheduler_options& options) {
    for (int depth = 0; depth != 3; ++depth) {
      scheduler all(options);
      std::atomic<bool> gone = false;
      std::atomic<int> begun = 0;
      auto parent = all.spawn(with_children(gone, begun, depth));
      await([&] { return begun == depth + 1; });
      EXPECT_FALSE(gone);
      parent.request_stop();
      EXPECT_THROW(parent.get(), licit::task_cancelled);
      EXPECT_TRUE(gone);
    }
  });
}

TEST(Scope, AShutdownCancelsParentAndChildren) {
  each_kind({4}, [](const scheduler_options& options) {
    std::atomic<bool> gone = false;
    std::atomic<int> begun = 0;
    {
      scheduler all(options);
      all.spawn(with_children(gone, begun, 1)).detach();
      await([&] { return begun == 2; });
    }
    EXPECT_TRUE(gone);
  });
}

TEST(Scope, AChildThatAShutdownCancelsIsNoSilentLoss) {
  scheduler all({.workers = 1});
  std::atomic<bool> began = false;
  std::jthread ends([&] {
    await([&] { return began.load(); });
    all.shutdown(licit::shutdown_kind::cancel);
  });
  const auto child = [&]() -> task<> {
    began = true;
    co_await for_ever();
  };
  const auto parent = [&]() -> task<int> {  // in this thread, so no task of the scheduler's
    co_return co_await licit::in_scope([&](scope& s) -> task<int> {
      s.spawn(child());
      co_return 1;
    });
  };
  EXPECT_THROW(all.block_on(parent()), licit::task_cancelled);
}

TEST(Scope, ABodyThatEndsAfterItsStopReturnsItsValue) {
  everywhere({2, 4}, []() -> task<> {
    const int got = co_await licit::in_scope([](scope& s) -> task<int> {
      s.spawn(for_ever());
      s.request_stop();
      co_return 7;
    });
    EXPECT_EQ(got, 7);
  });
}

TEST(Scope, OnlyInATask) {
  auto lost = licit::in_scope([](scope& /*unused*/) -> task<> { co_return; });
  lost.frame().resume();
  EXPECT_THROW(lost.frame().promise().result().take(), std::logic_error);
}

TEST(WhenAll, ReturnsEachValue) {
  everywhere({2, 4}, []() -> task<> {
    int n = 5;
    auto reference = [&]() -> task<int&> { co_return n; };
    auto nothing = []() -> task<> { co_return; };
    const auto [a, b, c] = co_await licit::when_all(value(1), nothing(), reference());
    static_assert(std::is_same_v<decltype(b), const std::monostate>);
    EXPECT_EQ(a, 1);
    EXPECT_EQ(&c.get(), &n);
    std::vector<task<int>> many;
    for (int i = 0; i != 30; ++i) many.push_back(value(i));
    const std::vector<int> got = co_await licit::when_all(std::move(many));
    for (int i = 0; i != 30; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i);
    EXPECT_TRUE((co_await licit::when_all(std::vector<task<>>{})).empty());
    (void)co_await licit::when_all();
  });
}

TEST(WhenAll, TheFirstExceptionCancelsTheRest) {
  everywhere({2, 4}, []() -> task<> {
    int caught = 0;
    try {
      (void)co_await licit::when_all(for_ever(), fails(4), value(1));
    } catch (int n) {
      caught = n;
    }
    EXPECT_EQ(caught, 4);
    caught = 0;
    try {
      (void)co_await licit::when_all(value(1), task<int>(), for_ever());
    } catch (const std::invalid_argument&) {
      caught = 1;
    }
    EXPECT_EQ(caught, 1) << "there is no coroutine";
  });
}

task<int> leaves(int depth) {
  if (depth == 0) co_return 1;
  const auto [a, b] = co_await licit::when_all(leaves(depth - 1), leaves(depth - 1));
  co_return a + b;
}

// Nothing of them is in a queue when all have ended: that would be a poll.
TEST(WhenAll, RunsInPlaceWhatNobodyHasBegun) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    EXPECT_EQ(all.spawn(leaves(4)).get(), 16);
    all.shutdown();
    EXPECT_LE(all.metrics().total().counts.polls, 15U);  // most of them run in place, however slow the machine
    EXPECT_EQ(all.metrics().total().counts.finished, 31U);
  });
}

task<int> sum_of(int n) {
  std::vector<task<int>> many;
  for (int i = 0; i != n; ++i) many.push_back(leaves(i % 3));
  int sum = 0;
  for (const int each : co_await licit::when_all(std::move(many))) sum += each;
  co_return sum;
}
TEST(WhenAll, OfManyTheLastRunInPlace) {
  each_kind({1, 4}, [](const scheduler_options& options) {
    for (const int n : {1, 8, 15, 16, 17, 1000}) {
      scheduler all(options);
      const int threes = n / 3;
      const std::array<int, 3> rest{0, 1, 3};
      EXPECT_EQ(all.spawn(sum_of(n)).get(), 7 * threes + rest.at(static_cast<std::size_t>(n % 3)));
      EXPECT_TRUE(all.shutdown().complete());
      const std::uint64_t polls = all.metrics().total().counts.polls;
      if (options.workers != 1) continue;
      if (n <= 8) {
        EXPECT_LE(polls, n + 1U);  // on a slow machine each of the n has a poll of its own, not what is below it
      }
      if (n == 1000) {
        EXPECT_GT(polls, 900U);
      }
    }
  });
}

task<> runs_until_stopped(std::atomic<int>& running) {
  const std::stop_token stop = co_await licit::get_stop_token();
  ++running;
  while (!stop.stop_requested()) std::this_thread::yield();
}
task<> all_of(std::atomic<int>& running, int depth) {
  if (depth == 0) co_return co_await runs_until_stopped(running);
  (void)co_await licit::when_all(all_of(running, depth - 1), all_of(running, depth - 1));
}
// Each has a worker, and one more is free for the callers.
TEST(WhenAll, ACancellationReachesAChildThatPollsItsToken) {
  each_kind({5}, [](const scheduler_options& options) {
    for (const int depth : {1, 2}) {
      scheduler all(options);
      std::atomic<int> running = 0;
      auto handle = all.spawn(all_of(running, depth));
      while (running != 2 * depth) std::this_thread::yield();
      handle.request_stop();
      EXPECT_THROW(handle.get(), licit::task_cancelled);
    }
  });
}

TEST(WhenAll, ACallerThatIsCancelledBeginsNoMoreChildren) {
  each_kind({1}, [](const scheduler_options& options) {
    scheduler all(options);
    licit::join_handle<void> handle;
    std::atomic<int> begun = 0;
    const auto child = [&]() -> task<> {
      if (begun == 0) handle.request_stop();
      ++begun;
      co_return;
    };
    std::vector<task<>> children;
    for (int i = 0; i != 8; ++i) children.push_back(child());
    auto caller = [&]() -> task<> { (void)co_await licit::when_all(std::move(children)); };
    all.spawn([&] { handle = licit::spawn(caller()); }).get();
    while (begun == 0) std::this_thread::yield();
    EXPECT_THROW(handle.get(), licit::task_cancelled);
    EXPECT_EQ(begun, 1);
  });
}

TEST(WhenAny, ReturnsTheFirstAndCancelsTheRest) {
  everywhere({2, 4}, []() -> task<> {
    const auto first = co_await licit::when_any(for_ever(), value(2), for_ever());
    EXPECT_EQ(first.index(), 1U);
    EXPECT_EQ(std::get<1>(first), 2);
    std::vector<task<std::string>> many;
    for (int i = 0; i != 10; ++i) {
      many.push_back([](int me) -> task<std::string> {
        if (me != 6) co_await for_ever();
        co_return "six";
      }(i));
    }
    const auto [place, text] = co_await licit::when_any(std::move(many));
    EXPECT_EQ(place, 6U);
    EXPECT_EQ(text, "six");
    int caught = 0;
    try {
      (void)co_await licit::when_any(for_ever(), fails(5));
    } catch (int n) {
      caught = n;
    }
    EXPECT_EQ(caught, 5);
  });
}

TEST(WhenAny, OfNothing) {
  scheduler all({.workers = 1});
  EXPECT_THROW(all.block_on(licit::when_any(std::vector<task<int>>{})), std::invalid_argument);
}

// A waker keeps the memory of a task, and nothing of what the task made.
TEST(Result, DiesWithTheTaskIfThereIsNoHandle) {
  scheduler all({.workers = 2});
  std::atomic<int> alive = 0;
  waker kept;
  std::atomic<int> step = 0;
  auto coroutine = [&]() -> task<counted> {
    co_await licit::suspend_with([&](waker w) {
      kept = std::move(w);
      step = 1;
      return false;
    });
    while (step == 1) std::this_thread::yield();
    co_return counted(alive);
  };
  auto handle = all.spawn(coroutine());
  await([&] { return step == 1; });
  handle.detach();
  step = 2;
  await([&] { return all.metrics().total().counts.finished == 1; });
  EXPECT_EQ(alive, 0);

  step = 0;
  handle = all.spawn(coroutine());
  await([&] { return step == 1; });
  step = 2;
  await([&] { return handle.done(); });
  EXPECT_EQ(alive, 1);
  handle.detach();
  EXPECT_EQ(alive, 0) << "with the handle";

  step = 0;
  handle = all.spawn(coroutine());
  await([&] { return step == 1; });
  step = 2;
  {
    const counted taken = handle.get();
  }
  EXPECT_EQ(alive, 0) << "with what was taken";
}

// Scopes within scopes that end, fail and are cancelled in all orders.
task<> grows(std::atomic<int>& alive, unsigned seed, int depth) {
  const counted mine(alive);
  auto body = [&, held = counted(alive)](scope& s) -> task<> {  // named: see scheduler/task/README.md, g++
    for (unsigned i = 0; i != 3 && depth != 0; ++i) {
      const unsigned next = seed * 1664525U + 1013904223U * (i + 1);
      s.spawn(grows(alive, next, depth - 1));
      if (next % 7 == 0) co_await licit::yield_now();
    }
    if (seed % 11 == 1) throw 1;
    if (seed % 13 == 1) s.request_stop();
    if (seed % 17 == 1) co_await for_ever();
    if (seed % 5 == 1) s.spawn([] {});
    if (seed % 5 == 2) (void)co_await licit::when_any(value(1), for_ever());
  };
  co_await licit::in_scope(std::move(body));
}

TEST(Scope, EndsInAllOrders) {
  each_kind({2, 4}, [](const scheduler_options& usual) {
    shared_memory memory;
    scheduler_options options = usual;
    options.memory = &memory;
    std::atomic<int> alive = 0;
    {
      scheduler all(options);
      for (unsigned seed = 0; seed != 200; ++seed) {
        auto tree = all.spawn(grows(alive, seed, 4));
        if (seed % 3 != 0) tree.request_stop();
        if (seed % 4 != 0) {
          tree.request_stop();
          try {
            tree.get();
          } catch (int) {  // of the tree
          } catch (const licit::task_cancelled&) {
          }
        }
      }
    }
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(memory.live(), 0);
  });
}

}  // namespace
