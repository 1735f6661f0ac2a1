// Sleeps, timeouts, intervals, the driver and manual clocks.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"
#include "support/items.hpp"
#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::manual_clock;
using licit::scheduler;
using licit::scheduler_options;
using licit::sleep_for;
using licit::sleep_until;
using licit::task;
using licit_test::all_asleep;
using licit_test::await;
using licit_test::counts_itself;
using licit_test::each_kind;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

task<steady::duration> measured(std::chrono::nanoseconds most) {
  const auto begun = steady::now();
  co_await sleep_for(most);
  co_return steady::now() - begun;
}

task<> forever(counts_itself /*alive*/) { co_await sleep_until(steady::time_point::max()); }

struct woken_task {
  int woken = 0;
  static licit::executor* lend() { return nullptr; }
  void wake_lent(licit::executor* /*none*/) { ++woken; }
};
using wheel = licit::timer_wheel<licit::native, woken_task>;
struct wheel_timer {
  licit::waiter<licit::native, woken_task> who;
  wheel::timer what;
  woken_task task;
  licit::timer_tick when = 0;
  bool linked = false;
};

/// Random calls beside a list that is searched: what is due fires, and nothing else; the next deadline is not missed.
TEST(TimerWheel, AgreesWithAList) {
  std::mt19937_64 random(1);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int round = 0; round != 20; ++round) {
    wheel all;
    const licit::driver<> known;
    licit::timer_tick now = 0;
    std::size_t fired = 0;
    std::vector<std::unique_ptr<wheel_timer>> timers(200);
    for (auto& each : timers) each = std::make_unique<wheel_timer>();
    for (int step = 0; step != 2'000; ++step) {
      wheel_timer& one = *timers[below(timers.size())];
      const std::uint64_t what = below(10);
      if (what < 5 && !one.linked) {
        one.when = now + below((std::uint64_t{1} << below(42)) + 1);
        one.who.belongs_to(one.task);
        one.what.due_at(one.when);
        one.linked = all.set(one.who, one.what, known) != licit::timer_start::due;
        ASSERT_EQ(one.linked, one.when > now);
      } else if (what < 7 && one.linked) {
        ASSERT_TRUE(wheel::cancel(one.who));
        one.linked = false;
      } else if (what >= 7) {
        now += below(std::uint64_t{1} << below(36));
        const licit::timer_tick next = all.fire(now, fired);
        ASSERT_GT(next, now);
        for (auto& each : timers) {
          ASSERT_EQ(each->task.woken, each->linked && each->when <= now ? 1 : 0);
          if (each->task.woken != 0) {
            EXPECT_FALSE(wheel::cancel(each->who));
            each = std::make_unique<wheel_timer>();
          } else if (each->linked) {
            ASSERT_LE(next, each->when);
          }
        }
      }
    }
    all.close();
    for (auto& each : timers) EXPECT_EQ(each->task.woken, each->linked ? 1 : 0);
  }
}

TEST(TimerWheel, HoldsTheWholeClockAndFiresInTheLastTick) {
  wheel all;
  const licit::driver<> known;
  std::size_t fired = 0;
  wheel_timer one;
  one.who.belongs_to(one.task);
  one.what.due_at(wheel::last);
  EXPECT_EQ(all.set(one.who, one.what, known), licit::timer_start::nearer);
  EXPECT_EQ(all.fire(wheel::last - 1, fired), wheel::last);
  EXPECT_EQ(fired, 0U);
  EXPECT_EQ(all.fire(wheel::last, fired), licit::driver<>::never);
  EXPECT_EQ(one.task.woken, 1);
  constexpr auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(steady::duration::max()).count();
  EXPECT_GT(wheel::last, static_cast<licit::timer_tick>(ms));
}

TEST(Sleep, TakesAtLeastItsTime) {
  each_kind({1, 2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::vector<join_handle<steady::duration>> tasks;
    for (int i = 0; i != 50; ++i) tasks.push_back(all.spawn(measured(i * 1ms / 3)));
    for (int i = 0; i != 50; ++i) EXPECT_GE(tasks[static_cast<std::size_t>(i)].get(), i * 1ms / 3);
  });
}

TEST(Sleep, UntilAMomentThatIsOverIsNone) {
  scheduler all{{.workers = 2}};
  all.spawn([]() -> task<> {
       co_await sleep_until(steady::now() - 1h);
       co_await sleep_until(steady::time_point::min());
       co_await sleep_for(-1s);
       co_await sleep_for(std::chrono::nanoseconds::min());
       co_await sleep_for(std::chrono::duration<double>(-1e300));
       co_await sleep_for(0s);
     }())
      .get();
  EXPECT_EQ(all.metrics().total().counts.timers_fired, 0U);
}

TEST(Sleep, AtTheEndOfTimeLastsUntilItIsCancelled) {
  std::atomic<int> alive = 0;
  scheduler all{{.workers = 2}};
  std::vector<join_handle<>> tasks;
  for (int i = 0; i != 10; ++i) tasks.push_back(all.spawn(forever(counts_itself(alive))));
  tasks.push_back(all.spawn([]() -> task<> { co_await sleep_for(std::chrono::hours::max()); }()));
  tasks.push_back(all.spawn([]() -> task<> { co_await sleep_for(std::chrono::duration<double>(1e300)); }()));
  await([&] { return all_asleep(all); });
  EXPECT_EQ(alive, 10);
  for (auto& each : tasks) each.request_stop();
  for (auto& each : tasks) EXPECT_THROW(each.get(), licit::task_cancelled);
  EXPECT_EQ(alive, 0);
}

/// Also where a manual clock comes to its own end: it began late.
TEST(Sleep, AtTheEndOfAManualClockLastsUntilItIsCancelled) {
  licit::manual_clock clock(steady::time_point::max() - 1ms);
  scheduler all{{.workers = 1, .clock = &clock}};
  std::vector<join_handle<>> tasks;
  tasks.push_back(all.spawn([]() -> task<> { co_await sleep_until(steady::time_point::max()); }()));
  tasks.push_back(all.spawn([]() -> task<> { co_await sleep_for(1h); }()));
  await([&] { return all_asleep(all); });
  clock.advance(1h);
  EXPECT_EQ(clock.now(), steady::time_point::max());
  EXPECT_EQ(all.metrics().total().counts.timers_fired, 0U);
  for (auto& each : tasks) each.request_stop();
  for (auto& each : tasks) EXPECT_THROW(each.get(), licit::task_cancelled);
}

TEST(Sleep, InOneOrderAtOneTickAndManyOfThem) {
  const int number = static_cast<int>(12'500 * licit_test::scale);
  scheduler all{{.workers = 2}};
  std::atomic<int> awake = 0;
  const auto until = steady::now() + 1s;
  std::vector<join_handle<>> tasks;
  tasks.reserve(static_cast<std::size_t>(number));
  for (int i = 0; i != number; ++i) {
    tasks.push_back(all.spawn([](steady::time_point when, std::atomic<int>& count) -> task<> {
      co_await sleep_until(when);
      EXPECT_GE(steady::now(), when);
      ++count;
    }(until, awake)));
  }
  for (auto& each : tasks) each.get();
  EXPECT_EQ(awake, number);
}

TEST(Sleep, BesideAWorkerInALongPollEndsMeanwhile) {
  scheduler all{{.workers = 2}};
  for (int i = 0; i != 20; ++i) {
    std::atomic<bool> woken = false;
    auto sleeper = all.spawn([&]() -> task<> {
      co_await sleep_for(2ms);
      woken = true;
    });
    // The worker that set the timer, or the other one, is now in a poll that lasts until it has fired.
    const bool meanwhile = all.spawn([&] {
                                const auto limit = steady::now() + 10s;
                                while (!woken && steady::now() < limit) std::this_thread::yield();
                                return woken.load();
                              })
                               .get();
    EXPECT_TRUE(meanwhile);
    sleeper.get();
  }
}

TEST(Sleep, SetByAWorkerThatGoesOnForLongIsNotLate) {
  scheduler all{{.workers = 2}};
  await([&] { return all_asleep(all); });
  std::atomic<bool> over = false;
  std::atomic<bool> began = false;
  auto outer = all.spawn([&]() -> task<> {
    auto inner = licit::spawn(*licit::current_executor(), [](std::atomic<bool>& flag) -> task<> {
      co_await sleep_for(5ms);
      flag = true;
    }(over));
    co_await licit::yield_now();  // the inner one sets its timer
    began = true;
    const auto limit = steady::now() + 10s;
    while (!over && steady::now() < limit) std::this_thread::yield();  // a poll without an end
    EXPECT_TRUE(over);
    co_await inner;
  });
  outer.get();
}

TEST(Sleep, InATaskThatMigratesIsCancelledFromElsewhere) {
  each_kind({2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<int> alive = 0;
    std::vector<join_handle<>> tasks;
    for (int i = 0; i != 200; ++i) {
      tasks.push_back(all.spawn([](counts_itself /*here*/) -> task<> {
        for (;;) {
          co_await sleep_for(1ms);
          co_await licit::yield_now();
        }
      }(counts_itself(alive))));
    }
    std::this_thread::sleep_for(20ms);
    for (auto& each : tasks) each.request_stop();
    for (auto& each : tasks) EXPECT_THROW(each.get(), licit::task_cancelled);
    EXPECT_EQ(alive, 0);
  });
}

/// Sleeps of one length are cancelled as they fire: each either ran to its end, or was cancelled.
TEST(Sleep, CancellationsInAStormAreCountedExactly) {
  each_kind({1, 2, 4}, [](const scheduler_options& options) {
    scheduler all(options);
    std::atomic<int> alive = 0;
    std::atomic<int> ended = 0;
    int cancelled = 0;
    const int rounds = static_cast<int>(licit_test::scale / 4 + 1);
    constexpr int at_once = 500;
    for (int round = 0; round != rounds; ++round) {
      std::vector<join_handle<>> tasks;
      for (int i = 0; i != at_once; ++i) {
        tasks.push_back(all.spawn([](counts_itself /*here*/, int us, std::atomic<int>& count) -> task<> {
          co_await sleep_for(std::chrono::microseconds(us));
          ++count;
        }(counts_itself(alive), i * 4, ended)));
      }
      for (int i = at_once; i-- != 0;) {
        if (i % 2 == 0) tasks[static_cast<std::size_t>(i)].request_stop();
        if (i % 16 == 0) std::this_thread::yield();
      }
      for (auto& each : tasks) {
        try {
          each.get();
        } catch (const licit::task_cancelled&) {
          ++cancelled;
        }
      }
    }
    EXPECT_EQ(ended + cancelled, rounds * at_once);
    EXPECT_EQ(alive, 0);
    const licit::shutdown_report report = all.shutdown();
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.finished, static_cast<std::uint64_t>(ended));
    EXPECT_EQ(report.cancelled, static_cast<std::uint64_t>(cancelled));
  });
}

TEST(Sleep, OfTwoSchedulersAndATaskThatHops) {
  scheduler a{{.workers = 2}};
  scheduler b{{.workers = 2}};
  std::vector<join_handle<>> tasks;
  for (int i = 0; i != 50; ++i) {
    tasks.push_back(a.spawn([](scheduler& one, scheduler& other) -> task<> {
      for (int n = 0; n != 3; ++n) {
        co_await sleep_for(1ms);
        co_await other.schedule();
        co_await sleep_for(1ms);
        co_await one.schedule();
      }
    }(a, b)));
  }
  for (auto& each : tasks) each.get();
  EXPECT_GT(a.metrics().total().counts.timers_fired, 0U);
  EXPECT_GT(b.metrics().total().counts.timers_fired, 0U);
}

TEST(Sleep, InBlockOnGoesByTheScheduler) {
  scheduler all{{.workers = 1}};
  EXPECT_GE(all.block_on(measured(5ms)), 5ms);
}

TEST(Sleep, InBlockOnEndsWithTheScheduler) {
  scheduler all{{.workers = 1}};
  licit::event begins;
  std::thread outside([&] {
    EXPECT_THROW(all.block_on([](licit::event& there) -> task<> {
      there.set();
      co_await sleep_for(1h);
    }(begins)),
                 licit::executor_closed);
    EXPECT_THROW(all.block_on(measured(1h)), licit::executor_closed) << "from then on at once";
  });
  begins.blocking_wait();
  std::this_thread::sleep_for(10ms);
  (void)all.shutdown();
  outside.join();
}

TEST(Sleep, OutsideOfATaskIsAnError) { EXPECT_THROW((void)licit::now_here(), std::logic_error); }

TEST(Sleep, OnAnExecutorWithoutTimersIsAnError) {
  licit_test::hand_executor none;
  auto sleeps = licit::spawn(none, []() -> task<> { co_await sleep_for(1ms); }());
  none.run();
  EXPECT_THROW(sleeps.get(), std::logic_error);
}

TEST(Shutdown, WaitsForSleepersOrCancelsThem) {
  std::atomic<int> alive = 0;
  {
    scheduler all{{.workers = 2}};
    auto soon = all.spawn(measured(20ms));
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);
    EXPECT_EQ(report.finished, 1U);
    EXPECT_GE(soon.get(), 20ms);
  }
  {
    manual_clock clock;
    scheduler all{{.workers = 2, .clock = &clock}};
    auto sleeper = all.spawn(measured(1h));
    EXPECT_EQ(all.shutdown(licit::shutdown_kind::drain, 1ms).left, 1U);
    std::thread advances([&] { clock.advance(1h); });
    EXPECT_EQ(all.shutdown(licit::shutdown_kind::drain).finished, 1U);
    advances.join();
    (void)sleeper.get();
  }
  {
    scheduler all{{.workers = 2}};
    for (int i = 0; i != 100; ++i) all.spawn(forever(counts_itself(alive))).detach();
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::cancel);
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.cancelled, 100U);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Timeout, OfWhatEndsInTimeIsItsValue) {
  scheduler all{{.workers = 2}};
  const auto text = all.spawn([]() -> task<std::optional<std::string>> {
                         co_return co_await licit::timeout(
                             []() -> task<std::string> {
                               co_await sleep_for(1ms);
                               co_return "here";
                             }(),
                             1h);
                       }())
                        .get();
  EXPECT_EQ(text, "here");
}

TEST(Timeout, CancelsWhatDoesNot) {
  std::atomic<int> alive = 0;
  scheduler all{{.workers = 2}};
  const bool in_time = all.spawn([](std::atomic<int>& count) -> task<bool> {
                            const auto got = co_await licit::timeout(forever(counts_itself(count)), 5ms);
                            EXPECT_EQ(count, 0);
                            co_return got.has_value();
                          }(alive))
                           .get();
  EXPECT_FALSE(in_time);
}

TEST(Timeout, OfAHandleLeavesTheTaskAlone) {
  scheduler all{{.workers = 2}};
  licit::event ends;
  auto other = all.spawn([](licit::event& e) -> task<int> {
    co_await e.wait();
    co_return 7;
  }(ends));
  const auto get = [&other](std::chrono::nanoseconds most) -> task<std::optional<int>> {
    co_return co_await licit::timeout(other, most);
  };
  EXPECT_EQ(all.spawn(get(5ms)).get(), std::nullopt);
  EXPECT_TRUE(other.joinable());
  ends.set();
  EXPECT_EQ(all.spawn(get(1h)).get(), 7);
}

TEST(Timeout, OfAHandleThatEndsMeanwhileLosesNoValue) {
  scheduler all{{.workers = 2}};
  const int trials = static_cast<int>(20 * licit_test::scale);
  for (int i = 0; i != trials; ++i) {
    auto other = all.spawn([i]() -> task<int> {
      co_await sleep_for(1ms);
      co_return i;
    });
    const auto in_time =
        all.spawn([&other]() -> task<std::optional<int>> { co_return co_await licit::timeout(other, 1ms); }).get();
    ASSERT_EQ(in_time.has_value(), !other.joinable());
    EXPECT_EQ(in_time ? *in_time : other.get(), i);
  }
}

/// However short the time is, and whatever else is queued.
TEST(Timeout, OfAHandleWhoseTaskIsCompleteHasItsValue) {
  scheduler all{{.workers = 1}};
  const auto value = [&all](std::chrono::nanoseconds most) -> task<std::optional<int>> {
    auto done = all.spawn([] { return 5; });
    while (!done.done()) co_await licit::yield_now();
    for (int i = 0; i != 5; ++i) all.spawn([] { std::this_thread::sleep_for(1ms); }).detach();
    co_return co_await licit::timeout(done, most);
  };
  EXPECT_EQ(all.spawn(value(100us)).get(), 5);
  EXPECT_EQ(all.spawn(value(0ns)).get(), 5);
  EXPECT_EQ(all.spawn([&all]() -> task<bool> {
                 auto fails = all.spawn([]() -> task<> { throw std::runtime_error("no"); });
                 while (!fails.done()) co_await licit::yield_now();
                 try {
                   co_return (co_await licit::timeout(fails, 0ns)).has_value();
                 } catch (const std::runtime_error&) {
                   co_return fails.joinable();
                 }
               })
                .get(),
            false);
}

TEST(Timeout, PassesOnExceptions) {
  scheduler all{{.workers = 2}};
  const auto fails = []() -> task<> {
    co_await sleep_for(1ms);
    throw std::runtime_error("no");
  };
  EXPECT_THROW(all.spawn([&]() -> task<> { (void)co_await licit::timeout(fails(), 1h); }).get(), std::runtime_error);
}

TEST(WhenAny, OfSleepsIsTheShortest) {
  std::atomic<int> alive = 0;
  scheduler all{{.workers = 2}};
  const std::size_t first =
      all.spawn([](std::atomic<int>& count) -> task<std::size_t> {
           const auto got = co_await licit::when_any(forever(counts_itself(count)), measured(5ms), measured(1h));
           EXPECT_EQ(count, 0);
           co_return got.index();
         }(alive))
          .get();
  EXPECT_EQ(first, 1U);
}

TEST(Scope, WaitsForSleepsAndCancelsThem) {
  scheduler all{{.workers = 2}};
  std::atomic<int> alive = 0;
  std::atomic<int> ended = 0;
  const auto body = [&](bool stops) -> task<> {
    co_await licit::in_scope([&](licit::scope& here) -> task<> {
      for (int i = 0; i != 10; ++i) {
        here.spawn([](std::atomic<int>& count) -> task<> {
          co_await sleep_for(2ms);
          ++count;
        }(ended));
      }
      here.spawn(stops ? forever(counts_itself(alive)) : []() -> task<> { co_return; }());
      co_await sleep_for(20ms);
      if (stops) here.request_stop();
    });
  };
  all.spawn(body(false)).get();
  EXPECT_EQ(ended, 10);
  try {
    all.spawn(body(true)).get();
  } catch (const licit::task_cancelled&) {  // of a child
  }
  EXPECT_EQ(alive, 0);
}

/// Two ticks under way end with the same period, which counts once.
TEST(Interval, TwoTicksAtOnceCountAPeriodOnce) {
  licit::manual_clock clock;
  scheduler all{{.workers = 1, .clock = &clock}};
  std::vector<std::uint64_t> periods;
  auto ticks = all.spawn([&]() -> task<> {
    licit::interval every(10ms);
    auto one = every.tick();
    auto other = every.tick();
    periods.push_back(co_await one);
    periods.push_back(co_await other);
    periods.push_back(co_await every.tick());
  });
  await([&] { return all_asleep(all); });
  clock.advance(10ms);
  await([&] { return all_asleep(all); });
  clock.advance(10ms);
  ticks.get();
  EXPECT_EQ(periods, (std::vector<std::uint64_t>{1, 0, 1}));
}

TEST(Interval, TicksAtMultiplesAndCountsWhatWasMissed) {
  manual_clock clock;
  scheduler all{{.workers = 1, .clock = &clock}};
  std::vector<std::uint64_t> ticks;
  std::vector<std::chrono::nanoseconds> at;
  auto ticking = all.spawn([&]() -> task<> {
    const auto begun = licit::now_here();
    licit::interval every(10ms);
    for (int i = 0; i != 5; ++i) {
      ticks.push_back(co_await every.tick());
      at.push_back(licit::now_here() - begun);
      if (i == 1) co_await sleep_for(25ms);  // misses two
    }
  });
  clock.advance(1s);
  ticking.get();
  EXPECT_EQ(ticks, (std::vector<std::uint64_t>{1, 1, 2, 1, 1}));
  EXPECT_EQ(at, (std::vector<std::chrono::nanoseconds>{10ms, 20ms, 45ms, 50ms, 60ms}));
  EXPECT_THROW(licit::interval(0ms), std::invalid_argument);
}

TEST(ManualClock, LetsYearsPassInNoTime) {
  manual_clock clock;
  scheduler all{{.workers = 2, .clock = &clock}};
  std::atomic<int> days = 0;
  auto counting = all.spawn([&]() -> task<> {
    for (int i = 0; i != 3650; ++i) {
      co_await sleep_for(24h);
      ++days;
    }
  });
  await([&] { return all_asleep(all); });
  EXPECT_EQ(days, 0);
  clock.advance(24h * 3650);
  EXPECT_EQ(days, 3650);
  EXPECT_EQ(clock.now().time_since_epoch(), 24h * 3650);
  counting.get();
}

TEST(ManualClock, NeverComesToTheEndOfTime) {
  manual_clock clock;
  scheduler all{{.workers = 1, .clock = &clock}};
  auto sleeps = all.spawn([]() -> task<> { co_await licit::sleep_until(manual_clock::time_point::max()); });
  clock.advance(std::chrono::hours::max());
  auto later = all.spawn([]() -> task<> { co_await licit::sleep_until(manual_clock::time_point::max()); });
  await([&] { return all_asleep(all); });
  clock.advance(std::chrono::hours::max());
  EXPECT_FALSE(sleeps.done() || later.done());
}

TEST(ManualClock, MakesEachRunTheSame) {
  const auto run = [] {
    manual_clock clock;
    scheduler all{{.workers = 1, .seed = 1, .clock = &clock}};
    std::vector<std::pair<std::int64_t, int>> events;
    std::vector<join_handle<>> tasks;
    for (int i = 0; i != 20; ++i) {
      tasks.push_back(all.spawn(
          [&events, &clock](int number) -> task<> {
            for (int n = 0; n != 10; ++n) {
              // no two tasks have deadlines in one millisecond
              co_await sleep_for(std::chrono::milliseconds(n == 0 ? number + 1 : 32 * (1 + (number * 7 + n * 3) % 4)));
              events.emplace_back(clock.now().time_since_epoch().count(), number);
            }
          },
          i));
      await([&] { return all_asleep(all); });
    }
    clock.advance(1h);
    for (auto& each : tasks) each.get();
    return events;
  };
  const auto first = run();
  EXPECT_EQ(first.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(first, {}, [](const auto& e) { return e.first; }));
  EXPECT_EQ(run(), first);
}

/// Timeouts of an hour: of what takes less, as long as that, and for ever. The time by the clock says when each ended.
TEST(ManualClock, TimeoutsOfATaskGoByIt) {
  each_kind({1, 2}, [](const scheduler_options& kind) {
    manual_clock clock;
    scheduler_options options = kind;
    options.clock = &clock;
    scheduler all(options);
    std::atomic<int> alive = 0;
    const auto limited = [&](std::chrono::nanoseconds takes) -> task<std::optional<std::string>> {
      const auto begun = licit::now_here();
      auto got = co_await licit::timeout(
          [](counts_itself /*here*/, std::chrono::nanoseconds most) -> task<std::string> {
            co_await sleep_for(most);
            co_return "here";
          }(counts_itself(alive), takes),
          1h);
      EXPECT_EQ(licit::now_here() - begun, std::min<std::chrono::nanoseconds>(takes, 1h));
      co_return got;
    };
    auto early = all.spawn(limited(59min));
    auto late = all.spawn(limited(61min));
    auto never = all.spawn(limited(std::chrono::nanoseconds::max()));
    clock.advance(59min + 59s);
    EXPECT_TRUE(early.done());
    EXPECT_FALSE(late.done() || never.done());
    EXPECT_EQ(alive, 2);
    clock.advance(1s);
    EXPECT_TRUE(late.done() && never.done());
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(early.get(), "here");
    EXPECT_EQ(late.get(), std::nullopt);
    EXPECT_EQ(never.get(), std::nullopt);
  });
}

TEST(ManualClock, TimeoutsOfAHandleGoByItAndLeaveTheTaskAlone) {
  each_kind({1, 2}, [](const scheduler_options& kind) {
    manual_clock clock;
    scheduler_options options = kind;
    options.clock = &clock;
    scheduler all(options);
    auto other = all.spawn([]() -> task<int> {
      co_await sleep_for(90min);
      co_return 7;
    });
    const auto limited = [&]() -> task<std::optional<int>> { co_return co_await licit::timeout(other, 1h); };
    auto first = all.spawn(limited());
    clock.advance(59min);
    EXPECT_FALSE(first.done());
    clock.advance(1min);
    EXPECT_TRUE(first.done());
    EXPECT_EQ(first.get(), std::nullopt);
    ASSERT_TRUE(other.joinable());
    EXPECT_FALSE(other.done());
    auto second = all.spawn(limited());  // until two hours have passed
    clock.advance(29min);
    EXPECT_FALSE(second.done());
    clock.advance(1min);
    EXPECT_TRUE(second.done());
    EXPECT_EQ(second.get(), 7);
    EXPECT_EQ(clock.now().time_since_epoch(), 90min);
  });
}

/// A thread that blocks with a limit of time goes by the machine's clock, not by one that stands still.
TEST(ManualClock, IsNotThatOfAThreadThatBlocks) {
  manual_clock clock;
  scheduler all{{.workers = 1, .clock = &clock}};
  auto sleeps = all.spawn(measured(1h));
  EXPECT_FALSE(sleeps.wait_for(1ms)) << "which comes back, though the clock stands still";
  clock.advance(1h);
  EXPECT_TRUE(sleeps.wait_for(0s));
}

/// A worker that follows the clock would wait for its own sleep. One of another scheduler, and a thread in `block_on`,
/// may.
TEST(ManualClock, IsNotAdvancedByAWorkerThatFollowsIt) {
  manual_clock clock;
  scheduler all{{.workers = 2, .clock = &clock}};
  scheduler other{{.workers = 1}};
  auto sleeps = all.spawn([]() -> task<> { co_await sleep_for(3h); });
  const auto advance = [&] { clock.advance(1h); };
  try {
    all.spawn(advance).get();
    ADD_FAILURE() << "it was advanced";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code(), std::errc::resource_deadlock_would_occur);
  }
  EXPECT_EQ(clock.now().time_since_epoch(), 0h);
  other.spawn(advance).get();
  all.block_on([&]() -> task<> {
    advance();
    co_return;
  });
  advance();
  EXPECT_EQ(clock.now().time_since_epoch(), 3h);
  sleeps.get();
}

TEST(ManualClock, OfTwoSchedulersFiresInTheOrderOfDeadlines) {
  manual_clock clock;
  scheduler a{{.workers = 1, .clock = &clock}};
  scheduler b{{.workers = 1, .clock = &clock}};
  std::mutex m;
  std::vector<int> order;
  std::vector<join_handle<>> tasks;
  for (int i = 10; i-- != 0;) {
    tasks.push_back((i % 2 == 0 ? a : b)
                        .spawn(
                            [&](int number) -> task<> {
                              co_await sleep_for(number * 1s);
                              const std::lock_guard lock(m);
                              order.push_back(number);
                            },
                            i));
  }
  clock.advance(20s);
  for (auto& each : tasks) each.get();
  EXPECT_TRUE(std::ranges::is_sorted(order));
  EXPECT_EQ(order.size(), 10U);
}

TEST(Idle, WithTimersFarAwayNobodyWakes) {
  for (const std::size_t workers : {1, 2, 4}) {
    scheduler all{{.workers = workers}};
    std::vector<join_handle<>> tasks;
    for (int i = 0; i != 1'000; ++i) {
      tasks.push_back(all.spawn([](int ms) -> task<> { co_await sleep_for(1h + std::chrono::milliseconds(ms)); }(i)));
    }
    await([&] { return all_asleep(all); });
    auto before = all.metrics();
    for (auto earlier = before.total().counts;; earlier = before.total().counts) {  // until no wake-up is on its way
      std::this_thread::sleep_for(20ms);
      before = all.metrics();
      if (before.total().counts == earlier) break;
    }
    EXPECT_TRUE(before.driver.has_value());
    std::this_thread::sleep_for(300ms);
    const auto after = all.metrics();
    EXPECT_EQ(after.total().counts.wakes, before.total().counts.wakes);
    EXPECT_EQ(after.total().counts.driver_wakes, before.total().counts.driver_wakes);
  }
}

/// The timers are in slots of their own, so that each of the cancelled ones may wake the holder. It begins anew where
/// the machine was so busy that the first of them may have fired before they were cancelled.
TEST(Idle, AWakeForCancelledTimersOnlyCountsAsEarly) {
  for (bool in_time = false; !in_time;) {
    scheduler all{{.workers = 1}};
    std::vector<join_handle<>> cancelled;
    std::vector<join_handle<>> kept;
    const auto sleeps = [](std::chrono::milliseconds how_long) -> task<> { co_await sleep_for(how_long); };
    const auto begun = steady::now();
    for (int i = 16; i != 20; ++i) {
      cancelled.push_back(all.spawn(sleeps(i * 64ms + 12ms)));
      kept.push_back(all.spawn(sleeps(i * 64ms + 45ms)));
    }
    await([&] { return all_asleep(all); });
    for (auto& each : cancelled) each.request_stop();
    in_time = steady::now() - begun < 16 * 64ms;
    if (!in_time) continue;
    for (auto& each : cancelled) EXPECT_THROW(each.get(), licit::task_cancelled);
    for (auto& each : kept) each.get();
    const auto counts = all.metrics().total().counts;
    EXPECT_EQ(counts.timers_fired, kept.size());
    EXPECT_LE(counts.driver_wakes - counts.driver_wakes_early, kept.size());
  }
}

TEST(Idle, WithoutTimersNobodyHoldsTheDriver) {
  scheduler all{{.workers = 2}};
  all.spawn([] {}).get();
  await([&] { return all_asleep(all); });
  EXPECT_EQ(all.metrics().driver, std::nullopt);
  EXPECT_EQ(all.metrics().total().counts.driver_wakes, 0U);
}

}  // namespace
