// Mutex, semaphore, event, latch, barrier and shared future: coroutines and threads, fairness, cancellation, misuse.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::mutex_guard;
using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::await;
using licit_test::each_kind;

/// One worker: a task that it spawns runs when the spawning one yields, and nothing runs beside it.
scheduler_options one_worker(std::uint32_t budget = licit::budget_of_a_run) {
  scheduler_options options{.workers = 1};
  options.budget = budget;
  return options;
}
/// In a task of one worker: until the others have come as far as they can.
task<> let_others_run() {
  for (int i = 0; i != 20; ++i) co_await licit::yield_now();
}

task<> locks(licit::mutex& m, std::vector<int>& order, int number) {
  const mutex_guard held = co_await m.lock();
  order.push_back(number);
}

TEST(Mutex, LetsOneInAtATime) {
  each_kind([](const scheduler_options& options) {
    constexpr int rounds = 2'000;
    scheduler all(options);
    licit::mutex m;
    int guarded = 0;
    std::vector<join_handle<void>> tasks;
    for (int i = 0; i != 4; ++i) {
      tasks.push_back(all.spawn([&]() -> task<> {
        for (int n = 0; n != rounds; ++n) {
          const mutex_guard held = co_await m.lock();
          const int before = guarded;
          if (n % 16 == 0) co_await licit::yield_now();  // holds it meanwhile
          guarded = before + 1;
        }
      }));
    }
    for (int n = 0; n != rounds; ++n) {
      const mutex_guard held = m.blocking_lock();
      ++guarded;
    }
    for (auto& each : tasks) each.get();
    EXPECT_EQ(guarded, 5 * rounds);
  });
}

TEST(Mutex, IsHandedOverInTheOrderOfTheWaits) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::mutex m;
       std::vector<int> order;
       std::vector<join_handle<void>> waiting;
       mutex_guard held = co_await m.lock();
       for (int i = 0; i != 20; ++i) {
         waiting.push_back(licit::spawn(locks(m, order, i)));
         co_await let_others_run();
       }
       held.unlock();
       EXPECT_FALSE(m.try_lock()) << "nobody overtakes who waits";
       for (auto& each : waiting) co_await each;
       EXPECT_TRUE(m.try_lock());
       EXPECT_EQ(order.size(), 20U);
       EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
     })
      .get();
}

TEST(Mutex, AWaiterThatIsCancelledLeavesTheLine) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::mutex m;
       std::vector<int> order;
       mutex_guard held = co_await m.lock();
       auto first = licit::spawn(locks(m, order, 1));
       co_await let_others_run();
       auto second = licit::spawn(locks(m, order, 2));
       co_await let_others_run();
       first.request_stop();
       co_await let_others_run();
       held.unlock();
       co_await second;
       EXPECT_THROW(co_await first, licit::task_cancelled);
       EXPECT_EQ(order, std::vector<int>{2});
       EXPECT_TRUE(m.try_lock());
     })
      .get();
}

TEST(Mutex, OneThatWasHandedTheMutexPassesItOn) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::mutex m;
       std::vector<int> order;
       mutex_guard held = co_await m.lock();
       auto first = licit::spawn(locks(m, order, 1));
       co_await let_others_run();
       auto second = licit::spawn(locks(m, order, 2));
       co_await let_others_run();
       held.unlock();         // to the first, which is queued and has not run
       first.request_stop();  // so it is destroyed where it waited
       co_await second;
       EXPECT_THROW(co_await first, licit::task_cancelled);
       EXPECT_EQ(order, std::vector<int>{2});
       EXPECT_TRUE(m.try_lock());
     })
      .get();
}

TEST(Mutex, OneThatIsCancelledForWantOfBudgetGivesItBack) {
  scheduler all(one_worker(1));
  all.spawn([]() -> task<> {
       licit::mutex m;
       std::vector<int> order;
       auto body = [&]() -> task<> {
         for (int n = 0;; ++n) {  // every other lock has no budget
           const mutex_guard held = co_await m.lock();
           order.push_back(n);
         }
       };
       for (int i = 0; i != 50; ++i) {
         auto looping = licit::spawn(body);
         for (int n = 0; n != i % 7 + 1; ++n) co_await licit::yield_now();
         looping.request_stop();
         EXPECT_THROW(co_await looping, licit::task_cancelled);
         EXPECT_TRUE(m.try_lock()) << i;
       }
       EXPECT_FALSE(order.empty());
     })
      .get();
}

TEST(Mutex, CancellationsLoseNothing) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    licit::mutex m;
    int guarded = 0;
    std::atomic<int> entered = 0;
    auto body = [&]() -> task<> {
      for (;;) {
        const mutex_guard held = co_await m.lock();
        ++guarded;
        ++entered;
        co_await licit::yield_now();  // may be cancelled here, too
      }
    };
    for (int round = 0; round != 60; ++round) {
      std::vector<join_handle<void>> tasks;
      for (int i = 0; i != 6; ++i) tasks.push_back(all.spawn(body));
      const int before = entered;
      await([&] { return entered > before + 20; });
      for (auto& each : tasks) each.request_stop();
      for (auto& each : tasks) EXPECT_THROW(each.get(), licit::task_cancelled);
      const mutex_guard free = m.try_lock();
      ASSERT_TRUE(free) << "somebody took it with them";
    }
    EXPECT_EQ(guarded, entered);
  });
}

TEST(Mutex, BlocksNoTask) {
  scheduler all{{.workers = 1}};
  licit::mutex m;
  all.spawn([&] { EXPECT_THROW((void)m.blocking_lock(), std::system_error); }).get();
  EXPECT_THROW((void)all.block_on([&]() -> task<bool> { co_return static_cast<bool>(m.blocking_lock()); }),
               std::system_error);
  mutex_guard held = m.try_lock();
  mutex_guard moved = std::move(held);
  EXPECT_FALSE(held);  // NOLINT(bugprone-use-after-move): it says so
  EXPECT_TRUE(moved);
  std::jthread other([&moved] { moved.unlock(); });  // another thread than the one that locked
  const mutex_guard next = m.blocking_lock();
  EXPECT_TRUE(next);
}

TEST(Semaphore, HasNeverMoreHoldersThanPermits) {
  each_kind([](const scheduler_options& options) {
    scheduler all(options);
    licit::semaphore s(5);
    std::atomic<int> taken = 0;
    std::atomic<bool> too_many = false;
    std::vector<join_handle<void>> tasks;
    for (std::uint32_t i = 0; i != 8; ++i) {
      tasks.push_back(all.spawn([&, i]() -> task<> {
        const std::uint32_t number = i % 3 + 1;
        for (int n = 0; n != 500; ++n) {
          co_await s.acquire(number);
          if (taken.fetch_add(static_cast<int>(number)) + static_cast<int>(number) > 5) too_many = true;
          if (n % 8 == 0) co_await licit::yield_now();
          taken -= static_cast<int>(number);
          s.release(number);
        }
      }));
    }
    for (int n = 0; n != 500; ++n) {
      s.blocking_acquire(2);
      s.release(2);
    }
    for (auto& each : tasks) each.get();
    EXPECT_FALSE(too_many);
    EXPECT_EQ(s.available(), 5U);
  });
}

TEST(Semaphore, ASmallerRequestDoesNotOvertake) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::semaphore s(1);
       auto many = licit::spawn([&s]() -> task<> { co_await s.acquire(3); });
       co_await let_others_run();
       EXPECT_FALSE(s.try_acquire()) << "somebody waits";
       auto one = licit::spawn([&s]() -> task<> { co_await s.acquire(1); });
       co_await let_others_run();
       EXPECT_FALSE(one.done());
       many.request_stop();  // and who waits behind it goes on
       co_await one;
       EXPECT_EQ(s.available(), 0U);
       EXPECT_THROW(co_await many, licit::task_cancelled);
     })
      .get();
}

TEST(Semaphore, OneReleaseWakesAllForWhomItIsEnough) {
  scheduler all{{.workers = 2}};
  licit::semaphore s(0);
  std::vector<join_handle<void>> tasks;
  for (int i = 0; i != 50; ++i) tasks.push_back(all.spawn([&s]() -> task<> { co_await s.acquire(); }));
  s.release(50);
  for (auto& each : tasks) each.get();
  EXPECT_EQ(s.available(), 0U);
}

TEST(Semaphore, RefusesNumbersThatAreTooLarge) {
  EXPECT_THROW(licit::semaphore(licit::semaphore::most + 1), std::out_of_range);
  licit::semaphore s(licit::semaphore::most);
  EXPECT_THROW(s.release(), std::overflow_error);
  EXPECT_THROW((void)s.acquire(licit::semaphore::most + 1), std::out_of_range);
  EXPECT_FALSE(s.try_acquire(licit::semaphore::most + 1));
  EXPECT_EQ(s.available(), licit::semaphore::most);
  EXPECT_TRUE(s.try_acquire(licit::semaphore::most));
  EXPECT_FALSE(s.try_acquire());
}

TEST(Event, WakesAllWhoWaitAndThoseWhoCome) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    licit::event e;
    int written = 0;
    std::atomic<int> seen = 0;
    std::vector<join_handle<void>> tasks;
    for (int i = 0; i != 30; ++i) {
      tasks.push_back(all.spawn([&]() -> task<> {
        co_await e.wait();
        seen += written;
      }));
    }
    std::jthread other([&] {
      e.blocking_wait();
      seen += written;
    });
    written = 1;
    e.set();
    for (auto& each : tasks) each.get();
    other.join();
    EXPECT_EQ(seen, 31);
    EXPECT_TRUE(e.is_set());
    e.blocking_wait();
    e.reset();
    EXPECT_FALSE(e.is_set());
  });
}

TEST(Event, ReachesWhoWaitedThoughItIsResetAtOnce) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::event e;
       std::vector<join_handle<void>> early;
       const auto waits = [&e]() -> task<> { co_await e.wait(); };
       for (int i = 0; i != 20; ++i) early.push_back(licit::spawn(waits));
       co_await let_others_run();
       e.set();
       e.reset();
       auto late = licit::spawn(waits);
       for (auto& each : early) co_await each;
       co_await let_others_run();
       EXPECT_FALSE(late.done());
       late.request_stop();
       EXPECT_THROW(co_await late, licit::task_cancelled);
     })
      .get();
}

TEST(Latch, OpensWhenAllHaveArrivedAndMayGoThen) {
  scheduler all{{.workers = 2}};
  for (int i = 0; i != 2'000; ++i) {
    std::optional<licit::latch> l(std::in_place, 3);
    for (int n = 0; n != 2; ++n) all.spawn([&l = *l] { l.count_down(); }).detach();
    if (i % 2 == 0) {
      l->count_down();
      l->blocking_wait();
    } else {
      all.block_on([&l = *l]() -> task<> { co_await l.arrive_and_wait(); });
    }
    EXPECT_TRUE(l->try_wait());
    l.reset();  // the last one may not have returned
  }
}

/// Also while the last arrival wakes many of whom all but one are cancelled.
TEST(Latch, MayGoWhenTheOtherWaitersAreCancelled) {
  scheduler all{{.workers = 2}};
  const auto waits = [](licit::latch* l, std::atomic<int>& begun) -> task<> {
    ++begun;
    co_await l->wait();
  };
  const auto destroys = [](std::unique_ptr<licit::latch> l, std::atomic<int>& begun,
                           std::vector<join_handle<void>>& others) -> task<> {
    ++begun;
    co_await l->wait();
    for (auto& each : others) each.request_stop();
    for (auto& each : others) {
      try {
        co_await each;
      } catch (const licit::task_cancelled&) {
      }
    }
  };
  const int trials = static_cast<int>(30 * licit_test::scale);
  for (int i = 0; i != trials; ++i) {
    constexpr int number = 20;
    auto made = std::make_unique<licit::latch>(1);
    licit::latch& l = *made;
    std::atomic<int> begun = 0;
    std::vector<join_handle<void>> others;
    auto first = all.spawn(destroys(std::move(made), begun, others));
    await([&] { return begun == 1; });
    for (int n = 0; n != number; ++n) others.push_back(all.spawn(waits(&l, begun)));
    await([&] { return begun == 1 + number; });
    l.count_down();
    first.get();
  }
}

TEST(Latch, CountsNoFurtherThanZero) {
  licit::latch l(2);
  EXPECT_THROW(l.count_down(3), std::overflow_error);
  EXPECT_FALSE(l.try_wait());
  l.count_down(2);
  EXPECT_THROW(l.count_down(), std::overflow_error);
  EXPECT_TRUE(licit::latch(0).try_wait());
}

TEST(Barrier, HoldsEveryPhaseTogether) {
  each_kind([](const scheduler_options& options) {
    constexpr int phases = 100;
    scheduler all(options);
    licit::barrier b(6);
    std::array<int, phases> in_phase{};  // written by all, one after the other by the mutex
    licit::mutex m;
    std::atomic<int> last = 0;
    std::atomic<bool> apart = false;
    const auto party = [&]() -> task<> {
      for (std::size_t n = 0; n != phases; ++n) {
        {
          const mutex_guard held = co_await m.lock();
          ++in_phase[n];
        }
        if (co_await b.arrive_and_wait()) ++last;
        if (in_phase[n] != 6) apart = true;
      }
    };
    std::vector<join_handle<void>> tasks;
    for (int i = 0; i != 5; ++i) tasks.push_back(all.spawn(party));
    for (std::size_t n = 0; n != phases; ++n) {
      {
        const mutex_guard held = m.blocking_lock();
        ++in_phase[n];
      }
      if (b.blocking_arrive_and_wait()) ++last;
    }
    for (auto& each : tasks) each.get();
    EXPECT_FALSE(apart);
    EXPECT_EQ(last, phases);
  });
}

TEST(Barrier, PartiesMayDropAndOnesThatAreCancelledHaveArrived) {
  scheduler all(one_worker());
  all.spawn([]() -> task<> {
       licit::barrier b(3);
       const auto arrives = [&b]() -> task<> { (void)co_await b.arrive_and_wait(); };
       auto cancelled = licit::spawn(arrives);
       co_await let_others_run();
       cancelled.request_stop();
       EXPECT_THROW(co_await cancelled, licit::task_cancelled);
       b.arrive_and_drop();  // two have arrived
       EXPECT_TRUE(co_await b.arrive_and_wait());
       b.arrive_and_drop();
       b.arrive_and_drop();
       EXPECT_THROW(b.arrive_and_drop(), std::overflow_error);
       EXPECT_THROW((void)co_await b.arrive_and_wait(), std::overflow_error);
     })
      .get();
  EXPECT_THROW(licit::barrier(0).blocking_arrive_and_wait(), std::overflow_error);
}

TEST(SharedFuture, GivesTheValueToAllWhoWait) {
  scheduler all{{.workers = 2}};
  licit::shared_promise<std::string> promise;
  const licit::shared_future<std::string> future = promise.future();
  std::vector<join_handle<std::size_t>> tasks;
  for (int i = 0; i != 20; ++i) {
    tasks.push_back(all.spawn([future]() -> task<std::size_t> { co_return (co_await future).size(); }));
  }
  EXPECT_FALSE(future.done());
  promise.set_value("seven!!");
  for (auto& each : tasks) EXPECT_EQ(each.get(), 7U);
  EXPECT_EQ(future.get(), "seven!!");
  EXPECT_THROW(promise.set_value("again"), std::future_error);
}

TEST(SharedFuture, RethrowsAndKnowsABrokenPromise) {
  licit::shared_promise<void> fails;
  fails.set_exception(std::make_exception_ptr(3));
  EXPECT_THROW((void)fails.future().get(), int);
  licit::shared_future<int> broken;
  EXPECT_FALSE(broken);
  broken = licit::shared_promise<int>().future();
  EXPECT_THROW((void)broken.get(), std::future_error);
  licit::shared_promise<int> once;
  EXPECT_THROW(once.set_exception(nullptr), std::invalid_argument);
  once.set_value(1);
  EXPECT_EQ(once.future().get(), 1);
}

/// At its limit a semaphore has no room for a permit that a cancelled waiter gives back.
TEST(Semaphore, DropsWhatComesBackAtItsLimit) {
  scheduler all({.workers = 1});
  licit::semaphore permits(0);
  licit_test::gate stop;
  auto waits = all.spawn([](licit::semaphore& of) -> task<> { co_await of.acquire(); }(permits));
  await([&] { return all.metrics().total().counts.parks != 0; });
  auto holds = all.spawn([&] { stop.pass(); });  // so that the waiter does not run
  stop.await_arrivals(1);
  permits.release(1);
  permits.release(licit::semaphore::most);
  EXPECT_THROW(permits.release(1), std::overflow_error);
  waits.request_stop();
  stop.open();
  EXPECT_THROW(waits.get(), licit::task_cancelled);
  holds.get();
  EXPECT_EQ(permits.available(), licit::semaphore::most);
}

/// For as many as it has room for, it has.
TEST(Semaphore, DropsNoMoreThanIsTooMuch) {
  scheduler all({.workers = 1});
  licit::semaphore permits(0);
  licit_test::gate stop;
  const auto acquires = [&permits](std::uint32_t number) -> task<> { co_await permits.acquire(number); };
  auto quits = all.spawn(acquires(10));
  await([&] { return all.metrics().total().counts.parks != 0; });
  auto wants = all.spawn(acquires(licit::semaphore::most));
  await([&] { return all.metrics().total().counts.parks > 1; });
  auto holds = all.spawn([&] { stop.pass(); });
  stop.await_arrivals(1);
  permits.release(10);
  permits.release(licit::semaphore::most - 5);
  quits.request_stop();
  stop.open();
  EXPECT_THROW(quits.get(), licit::task_cancelled);
  wants.get();
  holds.get();
  EXPECT_EQ(permits.available(), 0U);
}

TEST(Waiting, OfSeveralWithWhenAnyLosesNothing) {
  each_kind({2}, [](const scheduler_options& options) {
    scheduler all(options);
    licit::semaphore a(0);
    licit::semaphore b(0);
    std::atomic<std::uint64_t> taken = 0;
    const auto from = [&taken](licit::semaphore& s) -> task<> {
      co_await s.acquire();
      ++taken;
    };
    auto taking = all.spawn([&]() -> task<> {
      for (int n = 0; n != 1'000; ++n) (void)co_await licit::when_any(from(a), from(b));
    });
    std::uint64_t given = 0;
    for (; !taking.done(); ++given) ((given % 2 == 0) ? a : b).release();
    EXPECT_EQ(given, taken + a.available() + b.available());
  });
}

// Threads outside the scheduler that wait in `block_on`. A task of a worker ends the waits.

constexpr int outsiders = 3;

template <class Body>
void in_rounds(Body body) {
  each_kind({1, 2}, [&](const scheduler_options& options) {
    scheduler all(options);
    for (int round = 0; round != 20; ++round) body(all);
  });
}

/// Thread n runs `waits(n)`. When all have begun, the task runs `gives()`.
template <class Waits, class Gives>
void wait_outside(scheduler& all, Waits waits, Gives gives) {
  std::atomic<int> begun = 0;
  std::vector<std::thread> threads;
  threads.reserve(outsiders);
  for (int n = 0; n != outsiders; ++n) {
    threads.emplace_back([&, n] {
      all.block_on([&]() -> task<> {
        EXPECT_EQ(licit::this_context().worker_of, nullptr);
        ++begun;
        co_await waits(n);
      });
    });
  }
  await([&] { return begun == outsiders; });
  all.spawn([&]() -> task<> {
       gives();
       co_return;
     })
      .get();
  for (auto& each : threads) each.join();
}

TEST(BlockOnOutside, ReceivesFromAChannel) {
  in_rounds([](scheduler& all) {
    const auto line = licit::make_channel<int>(outsiders);
    std::atomic<int> sum = 0;
    wait_outside(
        all, [&](int /*n*/) -> task<> { sum += (co_await line.from.receive()).value_or(-1000); },
        [&] {
          for (const int item : {1, 2, 4}) EXPECT_EQ(line.to.try_send(int(item)), licit::sent::yes);
        });
    EXPECT_EQ(sum, 7);
  });
}

TEST(BlockOnOutside, SendsToAFullChannel) {
  in_rounds([](scheduler& all) {
    const auto line = licit::make_channel<int>(outsiders);
    for (int n = 0; n != outsiders; ++n) EXPECT_TRUE(line.to.blocking_send(0));
    wait_outside(
        all, [&](int n) -> task<> { EXPECT_TRUE(co_await line.to.send(1 << n)); },
        [&] {
          for (int n = 0; n != outsiders; ++n) EXPECT_EQ(line.from.try_receive(), 0);
        });
    int sum = 0;
    for (int n = 0; n != outsiders; ++n) sum += line.from.blocking_receive().value_or(-1000);
    EXPECT_EQ(sum, 7);
  });
}

TEST(BlockOnOutside, ReceivesFromAOneshot) {
  in_rounds([](scheduler& all) {
    std::vector<licit::oneshot<int>> each;
    for (int n = 0; n != outsiders; ++n) each.push_back(licit::make_oneshot<int>());
    wait_outside(
        all, [&](int n) -> task<> { EXPECT_EQ(co_await each.at(static_cast<std::size_t>(n)).from.receive(), 7); },
        [&] {
          for (auto& one : each) EXPECT_TRUE(one.to.send(7));
        });
  });
}

TEST(BlockOnOutside, LocksAMutex) {
  in_rounds([](scheduler& all) {
    licit::mutex m;
    int guarded = 0;
    mutex_guard held = m.try_lock();
    wait_outside(
        all,
        [&](int /*n*/) -> task<> {
          const mutex_guard mine = co_await m.lock();
          ++guarded;
        },
        [&] {
          EXPECT_EQ(guarded, 0);
          held.unlock();
        });
    EXPECT_EQ(guarded, outsiders);
    EXPECT_TRUE(m.try_lock());
  });
}

TEST(BlockOnOutside, AcquiresPermits) {
  in_rounds([](scheduler& all) {
    licit::semaphore s(0);
    wait_outside(all, [&](int n) -> task<> { co_await s.acquire(1U << n); }, [&] { s.release(8); });
    EXPECT_EQ(s.available(), 1U);
  });
}

TEST(BlockOnOutside, WaitsForAnEvent) {
  in_rounds([](scheduler& all) {
    licit::event e;
    wait_outside(all, [&](int /*n*/) -> task<> { co_await e.wait(); }, [&] { e.set(); });
    EXPECT_TRUE(e.is_set());
  });
}

TEST(BlockOnOutside, AwaitsASharedFuture) {
  in_rounds([](scheduler& all) {
    licit::shared_promise<int> promise;
    const licit::shared_future<int> future = promise.future();
    wait_outside(all, [&](int /*n*/) -> task<> { EXPECT_EQ(co_await future, 7); }, [&] { promise.set_value(7); });
  });
}

TEST(Waiting, IsDestroyedByAShutdown) {
  std::atomic<int> alive = 0;
  licit::mutex m;
  licit::event e;
  const mutex_guard held = m.try_lock();
  {
    scheduler all{{.workers = 2}};
    for (int i = 0; i != 10; ++i) {
      all.spawn([&m, mine = licit_test::counts_itself(alive)]() -> task<> { (void)co_await m.lock(); }).detach();
      all.spawn([&e, mine = licit_test::counts_itself(alive)]() -> task<> { co_await e.wait(); }).detach();
    }
    EXPECT_EQ(all.shutdown(licit::shutdown_kind::cancel).cancelled, 20U);
  }
  EXPECT_EQ(alive, 0);
  e.set();
}

}  // namespace
