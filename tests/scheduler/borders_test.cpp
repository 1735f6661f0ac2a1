// What stands at the borders of the checked core: stops, limits, hooks, handles and memory, as users meet them.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <locale>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::local_order;
using licit::scheduler;
using licit::scheduler_options;
using licit::shutdown_kind;
using licit::task;
using licit_test::await;
using licit_test::each_kind;
using namespace std::chrono_literals;

// --- what a worker's `get` leaves behind

/// The most bytes of tasks that were there at the end of a round.
std::size_t most_memory(const scheduler_options& kind, int rounds, const std::function<void()>& round) {
  licit_test::shared_memory memory;
  scheduler_options options = kind;
  options.memory = &memory;
  scheduler all(options);
  all.spawn([] {}).get();
  const std::size_t before = memory.live_bytes();
  return all
      .spawn([&] {
        std::size_t most = 0;
        for (int i = 0; i != rounds; ++i) {
          round();
          most = std::max(most, memory.live_bytes() - std::min(before, memory.live_bytes()));
        }
        return most;
      })
      .get();
}

void get_four() {
  auto four = licit::spawn_n(4, [](std::size_t i) { return i; });
  for (auto& each : four) (void)each.get();
}

TEST(RunsInPlace, LeaveBoundedMemory) {
  constexpr std::size_t enough = 256 * 1024;  // of some hundred tasks, and what a queue grows to
  for (const local_order order : {local_order::fifo, local_order::lifo}) {
    for (const bool stealing : {true, false}) {
      const scheduler_options kind{.workers = 1, .order = order, .stealing = stealing};
      EXPECT_LT(most_memory(kind, 20'000,
                            [] {
                              auto a = licit::spawn([] { return 1; });
                              auto b = licit::spawn([] { return 2; });
                              (void)(a.get() + b.get());
                            }),
                enough);
      EXPECT_LT(most_memory(kind, 20'000, get_four), enough);
    }
  }
}

// Every task runs once, whatever is swept beside thieves.
TEST(RunsInPlace, SweepsLoseNothing) {
  each_kind({1, 2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<int> ran = 0;
    std::vector<join_handle<void>> others;
    all.spawn([&] {
         for (int i = 0; i != 300; ++i) others.push_back(licit::spawn([&] { ++ran; }));
         for (int i = 0; i != 5'000; ++i) get_four();
       })
        .get();
    for (auto& each : others) each.get();
    EXPECT_EQ(ran, 300);
  });
}

// --- stops

/// What a task hands over stays as it is when the task has won.
task<std::stop_token> hands_over_its_token() { co_return co_await licit::get_stop_token(); }
task<> forever() { co_await licit::sleep_until(std::chrono::steady_clock::time_point::max()); }

TEST(WhoDecides, IsNotToldToStop) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    const bool any = all.spawn([]() -> task<bool> {
                          auto first = co_await licit::when_any(hands_over_its_token(), forever());
                          co_return std::get<0>(first).stop_requested();
                        })
                         .get();
    EXPECT_FALSE(any);
    const bool timed = all.spawn([]() -> task<bool> {
                            const auto first = co_await licit::timeout(hands_over_its_token(), 1h);
                            co_return first->stop_requested();
                          })
                           .get();
    EXPECT_FALSE(timed);
  });
}

TEST(RequestStop, MayDestroyTheHandle) {
  scheduler all({.workers = 2});
  std::optional<join_handle<void>> session;
  std::atomic<bool> asked = false;
  struct drops {
    std::optional<join_handle<void>>& which;
    void operator()() const { which.reset(); }
  };
  session.emplace(all.spawn(
      [](std::optional<join_handle<void>>& which, std::atomic<bool>& ready) -> task<> {
        const std::stop_callback last(co_await licit::get_stop_token(), drops{which});
        ready = true;
        co_await forever();
      },
      std::ref(session), std::ref(asked)));
  await([&] { return asked.load(); });
  session->request_stop();
  EXPECT_FALSE(session.has_value());
}

TEST(RequestStop, CallbacksRunToTheirEndBesideAnother) {
  for (int round = 0; round != 50; ++round) {
    scheduler all({.workers = 2});
    std::atomic<int> called = 0;
    std::atomic<int> begun = 0;
    std::atomic<bool> gone_early = false;
    std::atomic<bool> asked = false;
    struct slow {
      std::atomic<int>& begun;
      std::atomic<int>& called;
      void operator()() const {
        ++begun;
        std::this_thread::sleep_for(200us);
        ++called;
      }
    };
    struct at_end {
      std::atomic<int>& called;
      std::atomic<bool>& early;
      ~at_end() {
        if (called != 2) early = true;
      }
    };
    auto one = all.spawn(
        [](std::atomic<int>& b, std::atomic<int>& c, std::atomic<bool>& early, std::atomic<bool>& ready) -> task<> {
          const at_end last{c, early};
          const std::stop_token token = co_await licit::get_stop_token();
          const std::stop_callback first(token, slow{b, c});
          const std::stop_callback second(token, slow{b, c});
          ready = true;
          co_await forever();
        },
        std::ref(begun), std::ref(called), std::ref(gone_early), std::ref(asked));
    await([&] { return asked.load(); });
    std::thread other([&] {
      await([&] { return begun != 0; });
      (void)all.shutdown(shutdown_kind::cancel);
    });
    one.request_stop();
    other.join();
    EXPECT_EQ(called, 2);
    EXPECT_FALSE(gone_early) << "the frame is destroyed while callbacks of its run";
  }
}

TEST(Scope, WhatNobodyCanRethrowIsReported) {
  std::atomic<int> reported = 0;
  std::atomic<bool> runs = false;
  std::atomic<bool> decided = false;
  std::atomic<bool> ends = false;
  scheduler all({.workers = 4, .on_unobserved = [&](const std::exception_ptr&) { ++reported; }});
  auto parent = all.spawn(
      [](std::atomic<bool>& begun, std::atomic<bool>& told, std::atomic<bool>& go) -> task<> {
        co_await licit::in_scope([&](licit::scope& here) -> task<> {
          here.spawn([&](const std::stop_token& stops) {  // keeps the scope from ending
            begun = true;
            await([&] { return stops.stop_requested(); });
            told = true;
            await([&] { return go.load(); });
          });
          here.spawn([&] {
            await([&] { return begun.load(); });  // else the other would not run
            throw std::runtime_error("lost?");
          });
          co_await forever();
        });
      },
      std::ref(runs), std::ref(decided), std::ref(ends));
  await([&] { return decided.load(); });
  parent.request_stop();
  ends = true;
  EXPECT_THROW(parent.get(), licit::task_cancelled);
  (void)all.shutdown();
  EXPECT_EQ(reported, 1);
}

// --- limits and hooks

TEST(Limits, OfAnyLengthAreWaits) {
  scheduler all({.workers = 2});
  auto slow = all.spawn([] { std::this_thread::sleep_for(5ms); });
  EXPECT_TRUE(all.shutdown(shutdown_kind::drain, std::chrono::hours::max()).complete());
  slow.get();
  licit::blocking_pool pool;
  auto call = pool.spawn([] { std::this_thread::sleep_for(5ms); });
  EXPECT_TRUE(pool.shutdown(shutdown_kind::drain, std::chrono::hours::max()).complete());
  call.get();
}

TEST(Shutdown, IsRefusedInTheHookOfAWorker) {
  std::atomic<int> refused = 0;
  scheduler* of = nullptr;
  std::atomic<bool> ready = false;
  {
    scheduler all({.workers = 2, .on_thread_stop = [&](std::size_t) {
                     await([&] { return ready.load(); });
                     try {
                       (void)of->shutdown(shutdown_kind::drain, 100ms);
                     } catch (const std::logic_error&) {
                       ++refused;
                     }
                   }});
    of = &all;
    ready = true;
  }
  EXPECT_EQ(refused, 2);
}

// In the thread that drops the handle, which the shutdown would wait for: also from a hook within the hook of another.
TEST(Shutdown, IsRefusedInTheHookForExceptions) {
  std::atomic<int> refused = 0;
  const auto refuses = [&](scheduler& to) {
    try {
      (void)to.shutdown();
    } catch (const std::logic_error& e) {
      refused += std::string(e.what()).find("in on_unobserved") != std::string::npos ? 1 : 100;
    }
  };
  const auto throws = [] { throw 1; };
  scheduler* of = nullptr;
  licit::join_handle<void> others;
  scheduler all({.workers = 1, .on_unobserved = [&](const std::exception_ptr&) {
                   others.detach();
                   refuses(*of);
                 }});
  scheduler other({.workers = 1, .on_unobserved = [&](const std::exception_ptr&) { refuses(*of); }});
  of = &all;
  others = other.spawn(throws);
  auto mine = all.spawn(throws);
  await([&] { return mine.done() && others.done(); });
  mine.detach();
  EXPECT_EQ(refused, 2);
  all.spawn([] {}).get();  // nothing was closed
  EXPECT_TRUE(all.shutdown().complete()) << "after the hook";
}

TEST(BlockOn, MayOutliveItsScheduler) {
  licit_test::shared_memory memory;  // the coroutine is elsewhere
  scheduler_options options{.workers = 1};
  options.memory = &memory;
  std::optional<scheduler> all(options);
  licit::event begins;
  licit::event ended;
  int refused = 0;
  auto outlives = [&]() -> task<> {
    begins.set();
    co_await ended.wait();
    try {
      licit::spawn([] {}).detach();
    } catch (const licit::executor_closed&) {
      ++refused;
    }
    try {
      co_await licit::sleep_for(1h);
    } catch (const licit::executor_closed&) {
      ++refused;
    }
    EXPECT_EQ(std::get<1>(licit::join([] { return 1; }, [] { return 2; })), 2);
  };
  std::thread outside([&, body = outlives()]() mutable { all->block_on(std::move(body)); });
  begins.blocking_wait();
  all.reset();
  EXPECT_GT(memory.live(), 0) << "what the coroutine may still use";
  ended.set();
  outside.join();
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(memory.live(), 0);
}

// A thread that has a guest's place is waited for.
TEST(Enter, WithoutAPlaceMayOutliveItsScheduler) {
  licit_test::shared_memory memory;
  scheduler_options options{.workers = 1, .guests = 0};
  options.memory = &memory;
  std::optional<scheduler> all(options);
  licit::event begins;
  licit::event ended;
  std::thread outside([&] {
    all->enter([&] {
      begins.set();
      ended.blocking_wait();
      EXPECT_THROW(licit::spawn([] {}).detach(), licit::executor_closed);
      EXPECT_EQ(std::get<1>(licit::join([] { return 1; }, [] { return 2; })), 2);
    });
  });
  begins.blocking_wait();
  all.reset();
  EXPECT_GT(memory.live(), 0) << "what the thread may still use";
  ended.set();
  outside.join();
  EXPECT_EQ(memory.live(), 0);
}

TEST(Watchdog, MayCancelWhatItSees) {
  scheduler* of = nullptr;
  std::atomic<bool> cancelled = false;
  std::atomic<bool> ready = false;
  {
    scheduler_options options{.workers = 1};
    options.stall_after = 1ms;
    options.on_stall = [&](const licit::stall&) {
      await([&] { return ready.load(); });
      if (!cancelled) (void)of->shutdown(shutdown_kind::cancel);
      cancelled = true;
    };
    scheduler all(options);
    of = &all;
    ready = true;
    all.spawn([](const std::stop_token& ends) {
         while (!ends.stop_requested()) std::this_thread::yield();
       })
        .detach();
    await([&] { return cancelled.load(); });
  }
  EXPECT_TRUE(cancelled);
}

/// Who ends the scheduler joins the watchdog's thread, which is in the hook.
TEST(Watchdog, MayCancelWhileAnotherThreadEndsTheScheduler) {
  for (const bool drains : {false, true}) {
    scheduler* of = nullptr;
    std::atomic<bool> in_hook = false;
    std::atomic<bool> ends = false;
    std::atomic<bool> returned = false;
    {
      scheduler_options options{.workers = 1};
      options.stall_after = 1ms;
      options.on_stall = [&](const licit::stall&) {
        if (in_hook.exchange(true)) return;
        await([&] { return ends.load(); });
        std::this_thread::sleep_for(20ms);  // until the other thread has the lock, and mostly until it joins
        (void)of->shutdown(shutdown_kind::cancel);
        returned = true;
      };
      scheduler all(options);
      of = &all;
      all.spawn([&](const std::stop_token& stop) {
           while (!stop.stop_requested() && (drains || !ends)) std::this_thread::yield();
         })
          .detach();
      await([&] { return in_hook.load(); });
      ends = true;
      if (drains) {  // ended by the hook
        EXPECT_TRUE(all.shutdown(shutdown_kind::drain).complete());
      }
    }
    EXPECT_TRUE(returned);
  }
}

// --- waits with a limit

TEST(Timeout, OfAHandleDoesNotRunIt) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<bool> ends = false;
    const bool over = all.spawn(
                             [](std::atomic<bool>& go) -> task<bool> {
                               auto slow = licit::spawn([&go] { await([&] { return go.load(); }); });
                               const auto got = co_await licit::timeout(slow, 5ms);
                               go = true;  // never, if the task had run here
                               co_await slow;
                               co_return !got.has_value();
                             },
                             std::ref(ends))
                          .get();
    EXPECT_TRUE(over);
  });
}

TEST(Awaitables, MayBeAwaitedAgain) {
  each_kind({1, 2}, [](const scheduler_options& options) {
    scheduler all(options);
    all.spawn([]() -> task<> {
         auto sleeps = licit::sleep_for(2ms);
         const auto begun = std::chrono::steady_clock::now();
         co_await sleeps;
         co_await sleeps;
         EXPECT_GE(std::chrono::steady_clock::now() - begun, 4ms);
       })
        .get();
    licit::mutex one;
    std::atomic<int> inside = 0;
    std::vector<join_handle<void>> tasks;
    for (int i = 0; i != 4; ++i) {
      tasks.push_back(all.spawn(
          [](licit::mutex& m, std::atomic<int>& in) -> task<> {
            auto locks = m.lock();
            for (int k = 0; k != 200; ++k) {
              const auto held = co_await locks;
              EXPECT_EQ(++in, 1);
              co_await licit::yield_now();
              --in;
            }
          },
          std::ref(one), std::ref(inside)));
    }
    for (auto& each : tasks) each.get();
  });
}

// --- small things

/// clang 14 does not compile libstdc++'s views.
struct all_but_two : std::ranges::view_base {
  std::vector<std::function<void()>>* calls;
  explicit all_but_two(std::vector<std::function<void()>>& of) : calls{&of} {}
  [[nodiscard]] auto begin() const { return calls->begin() + 2; }
  [[nodiscard]] auto end() const { return calls->end(); }
};

/// What never waits lets others run, and ends with a shutdown: a hop that is refused each time, and a wait that is over
/// each time.
TEST(Budget, IsSpentByHopsThatAreRefusedAndByWaitsThatAreOver) {
  scheduler closed{{.workers = 1}};
  closed.shutdown();
  scheduler all{{.workers = 1, .budget = 8}};
  int refused = 0;
  all.spawn([&]() -> task<> {
       for (int i = 0; i != 100; ++i) {
         try {
           co_await closed.schedule();
         } catch (const licit::executor_closed&) {
           ++refused;
         }
       }
     }())
      .get();
  EXPECT_EQ(refused, 100);
  const auto forced = [&] { return all.metrics().total().counts.forced_yields; };
  const std::uint64_t by_hops = forced();
  EXPECT_GE(by_hops, 10U);
  all.spawn([]() -> task<> {
       for (int i = 0; i != 100; ++i) co_await licit::suspend_with([](licit::waker) { return false; });
     }())
      .get();
  EXPECT_GE(forced() - by_hops, 10U);
  all.spawn([]() -> task<> {
       for (;;) co_await licit::suspend_with([](licit::waker) { return false; });
     }())
      .detach();
  EXPECT_EQ(all.shutdown(shutdown_kind::cancel).cancelled, 1U);
}

/// A result whose address `&` does not give.
struct hides_its_address {
  explicit hides_its_address(int n) : value{n} {}
  int* operator&() { return nullptr; }  // NOLINT(google-runtime-operator): what is tested
  int value;
};
TEST(Results, MayHideTheirAddress) {
  scheduler all{{.workers = 1}};
  EXPECT_EQ(all.spawn([] { return hides_its_address(42); }).get().value, 42);
  EXPECT_EQ(all.spawn([]() -> task<hides_its_address> { co_return hides_its_address(43); }()).get().value, 43);
}

TEST(BlockOn, ReturnsTheReferenceOfACallable) {
  scheduler all{{.workers = 1}};
  int n = 0;
  const auto body = [&]() -> task<int&> { co_return n; };
  static_assert(std::is_same_v<decltype(all.block_on(body)), int&>);
  EXPECT_EQ(std::addressof(all.block_on(body)), &n);
}

/// A stream that separates thousands, as one that took on the locale of a country does.
TEST(Trace, IsJsonInAnyLocale) {
#ifndef __cpp_rtti
  GTEST_SKIP() << "libstdc++ tells the parts of a locale by their types";
#endif
  struct separating : std::numpunct<char> {
    [[nodiscard]] char do_thousands_sep() const override { return '.'; }
    [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  };
  scheduler all{{.workers = 1, .trace_events = 16}};
  for (int i = 0; i != 2000; ++i) all.spawn([] {}).get();
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new separating));
  all.write_trace(out);
  const std::string written = out.str();
  const std::size_t at = written.find("\"overwritten\": ");
  ASSERT_NE(at, std::string::npos);
  const std::string number = written.substr(at + 15, written.find('}', at) - at - 15);
  EXPECT_GE(number.size(), 4U);
  EXPECT_EQ(number.find_first_not_of("0123456789"), std::string::npos) << number;
}

TEST(SpawnAll, CopiesWhatIsBehindAView) {
  scheduler all({.workers = 2});
  std::atomic<int> ran = 0;
  std::vector<std::function<void()>> calls(4, [&] { ++ran; });
  for (auto& each : all.spawn_all(std::span(calls).first(2))) each.get();
  for (auto& each : all.spawn_all(all_but_two(calls))) each.get();
  EXPECT_EQ(ran, 4);
  EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& one) { return static_cast<bool>(one); }));
  for (auto& each : all.spawn_all(std::move(calls))) each.get();
  EXPECT_EQ(ran, 8);
}

TEST(TryGet, OfAnRvalueReference) {
  scheduler all({.workers = 1});
  auto value = std::make_unique<int>(7);
  auto handle = all.spawn([&]() -> std::unique_ptr<int>&& { return std::move(value); });
  await([&] { return handle.done(); });
  EXPECT_EQ(handle.try_get(), &value);
}

TEST(Metrics, AHalfOfAJoinIsNoEmptyWake) {
  scheduler all({.workers = 2});
  const auto counts_now = [&] { return all.metrics().total().counts; };
  // Of a worker that is in the idle set, but finds the task before it sleeps, no wake-up is counted.
  const auto both_asleep = [&] {
    const auto counts = counts_now();
    return counts.parks == counts.wakes + 2 && counts_now().wakes == counts.wakes;
  };
  for (int i = 0; i != 50; ++i) {
    await(both_asleep);
    all.spawn([] {
         std::atomic<bool> stolen = false;
         licit::join([&] { await([&] { return stolen.load(); }); }, [&] { stolen = true; });
       })
        .get();
  }
  await(both_asleep);
  const auto counts = counts_now();
  EXPECT_GE(counts.wakes, 100U);
  EXPECT_LT(counts.empty_wakes, counts.wakes / 2);
}

// --- several schedulers by one clock

/// No task runs while the clock moves: what one scheduler's task sends, another's receives at the same time.
TEST(ManualClock, WaitsForAllThatFollowIt) {
  constexpr std::size_t number = 20;
  licit::manual_clock clock;
  std::vector<std::unique_ptr<scheduler>> all;
  for (std::size_t i = 0; i != number; ++i) {
    all.push_back(std::make_unique<scheduler>(scheduler_options{.workers = 1, .clock = &clock}));
  }
  auto ways = licit::make_channel<std::chrono::steady_clock::time_point>(4);
  std::atomic<int> late = 0;
  auto receives = all.front()->spawn(
      [](auto from, std::atomic<int>& l) -> task<> {
        while (const auto sent = co_await from.receive()) l += *sent == licit::now_here() ? 0 : 1;
      },
      std::move(ways.from), std::ref(late));
  std::vector<join_handle<void>> sends;
  for (std::size_t i = 1; i != number; ++i) {
    sends.push_back(all[i]->spawn(
        [](auto to, std::size_t ms) -> task<> {
          for (int k = 0; k != 20; ++k) {
            co_await licit::sleep_for(std::chrono::milliseconds(ms));
            co_await to.send(licit::now_here());
          }
        },
        ways.to, i));
  }
  {
    auto last = std::move(ways.to);
  }
  clock.advance(1s);
  for (auto& each : sends) each.get();
  receives.get();
  EXPECT_EQ(late, 0);
}

// --- channels, promises, pools

struct not_assignable {
  const int value;
};

TEST(Channel, TakesWhatCannotBeAssigned) {
  scheduler all({.workers = 2});
  auto ends = licit::make_channel<not_assignable>(1);
  auto got =
      all.spawn([](auto from) -> task<int> { co_return (co_await from.receive())->value; }, std::move(ends.from));
  EXPECT_TRUE(ends.to.blocking_send(not_assignable{7}));
  EXPECT_EQ(got.get(), 7);
}

TEST(Channel, SaysWhatWasDroppedBeforeSendersKnow) {
  for (int round = 0; round != 200; ++round) {
    auto ends = licit::make_channel<int>(1);
    (void)ends.to.try_send(1);
    std::thread goes([from = std::optional(std::move(ends.from))]() mutable { from.reset(); });
    while (ends.to.try_send(2) != licit::sent::closed) std::this_thread::yield();
    EXPECT_EQ(ends.to.dropped(), 1U);
    goes.join();
  }
}

TEST(SharedPromise, OutlivesAMoveToItself) {
  licit::shared_promise<int> promise;
  licit::shared_promise<int>& same = promise;
  promise = std::move(same);
  const auto future = promise.future();
  promise.set_value(7);
  EXPECT_EQ(future.get(), 7);
}

TEST(BlockingPool, HandsOverBeforeItWaitsForItsCalls) {
  scheduler all({.workers = 2});
  all.spawn([] {
       licit::blocking_pool pool;
       auto ends = licit::spawn([] {});  // in this worker's slot
       const auto call = pool.spawn([&] { ends.get(); });
       EXPECT_EQ(pool.shutdown(shutdown_kind::drain).finished, 1U);
     })
      .get();
}

TEST(BlockingPool, SaysWhatStackIsOutOfRange) {
  EXPECT_THROW(licit::blocking_pool({.stack_bytes = 1}), std::invalid_argument);
  EXPECT_THROW(licit::blocking_pool({.stack_bytes = ~std::size_t{0}}), std::invalid_argument);
  licit::blocking_pool small({.stack_bytes = std::size_t{64} << 10});
  small.spawn([] {}).get();
}

}  // namespace
