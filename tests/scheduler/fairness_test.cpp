// In which order tasks run, and behind how many others a task waits at most: by counts of polls.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/schedulers.hpp"

namespace {

using licit::join_handle;
using licit::local_order;
using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::await;
using licit_test::each_kind;
using licit_test::gate;

constexpr std::uint32_t interval = 8;
constexpr std::uint32_t never = 60000;

scheduler_options one_worker(local_order order) {
  return {.workers = 1, .order = order, .interval = {.fixed = interval}};
}
constexpr local_order both[] = {local_order::fifo, local_order::lifo};

/// Keeps a worker busy for ever: each of its steps leaves the next in the queue, and a task that does nothing in the
/// slot. So the queue of a worker is never empty, and under neither order does the next step wait.
class busy {
 public:
  explicit busy(std::function<void()> each_poll) : poll_{std::move(each_poll)} {}
  void step() {
    poll_();
    if (stop) return;
    licit::spawn([this] { step(); });
    licit::spawn([this] { poll_(); });
  }
  std::atomic<bool> stop = false;

 private:
  std::function<void()> poll_;
};

/// Between two ticks are the poll that the first ends with, and N more. Youngest first, every other tick is for the
/// oldest of the own queue.
std::uint32_t longest_wait(local_order order) { return order == local_order::fifo ? interval + 1 : 2 * (interval + 1); }

// The worker looks at the clock after four of them, and after eight.
TEST(Fairness, FewLongTasksRunInPlaceInOnePoll) {
  constexpr std::uint64_t tasks = 180;
  for (const local_order order : both) {
    scheduler all(one_worker(order));
    const auto takes_long = []() -> task<> {
      const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
      while (std::chrono::steady_clock::now() < end) {
      }
      co_return;
    };
    const auto awaits = [&]() -> task<> {
      for (std::uint64_t i = 0; i != tasks; ++i) co_await licit::spawn(takes_long());
    };
    all.spawn(awaits()).get();
    EXPECT_TRUE(all.shutdown().complete());
    EXPECT_GE(all.metrics().total().counts.polls, tasks / 9);
  }
}

TEST(Fairness, AnInjectedTaskRunsWithinAFewPolls) {
  for (const local_order order : both) {
    std::uint64_t most = 0;
    for (std::uint64_t at = 20; at != 20 + 3 * interval; ++at) {
      scheduler all(one_worker(order));
      gate here;
      std::uint64_t polls = 0;
      std::uint64_t waited = 0;
      busy work([&] {
        if (++polls == at) here.pass();
      });
      auto first = all.spawn([&] { work.step(); });
      here.await_arrivals(1);
      auto injected = all.spawn([&] {
        waited = polls - at;
        work.stop = true;
      });
      here.open();
      injected.get();
      first.get();
      EXPECT_TRUE(all.shutdown().complete());
      EXPECT_LE(waited, longest_wait(order));
      most = std::max(most, waited);
    }
    EXPECT_GE(most, longest_wait(order) - 1) << "the bound is not that of the code any more";
  }
}

// The same with several workers: of the worker that runs it, whichever that is, and whatever the others do.
TEST(Fairness, AnInjectedTaskRunsWhileAllWorkersAreBusy) {
  each_kind([](scheduler_options options) {
    struct alignas(128) count {
      std::atomic<std::int64_t> polls = 0;
    };
    static thread_local std::size_t self = 0;
    std::vector<count> counts(options.workers);
    options.interval.fixed = interval;
    options.on_thread_start = [](std::size_t worker) { self = worker; };
    scheduler all(options);
    busy work([&] { counts[self].polls.fetch_add(1, std::memory_order::relaxed); });
    for (std::size_t i = 0; i != options.workers; ++i) all.spawn([&] { work.step(); });
    await([&] { return all.metrics().inject_depth == 0; });  // nobody is before the one that is injected
    for (int i = 0; i != 200; ++i) {
      std::int64_t then = 0;
      std::size_t by = 0;
      auto injected = all.spawn([&] {
        by = self;
        then = counts[self].polls;
      });
      std::vector<std::int64_t> seen;
      for (const count& c : counts) seen.push_back(c.polls);
      injected.get();
      EXPECT_LE(then - seen[by], longest_wait(options.order));
    }
    work.stop = true;
    EXPECT_TRUE(all.shutdown().complete());
  });
}

/// The order in which tasks ran, as letters.
class record {
 public:
  void operator()(char c) { letters_ += c; }
  [[nodiscard]] const std::string& letters() const { return letters_; }
  /// How many of `which` there are at most between two others, or before the first.
  [[nodiscard]] std::size_t longest(char which, std::string_view until) const {
    std::size_t most = 0;
    std::size_t row = 0;
    for (const char c : letters_.substr(0, letters_.find_last_of(until) + 1)) {
      row = c == which ? row + 1 : 0;
      most = std::max(most, row);
    }
    return most;
  }

 private:
  std::string letters_;
};

/// Offers `left` halves at once, the oldest first, and calls `innermost` beside them.
void offer(int left, const std::function<void()>& half, const std::function<void()>& innermost) {
  if (left == 0) return innermost();
  licit::join([&] { offer(left - 1, half, innermost); }, half);
}

// One worker stands with both on offer. The other runs them: of eight searches seven find a join, and one a task.
TEST(Fairness, EveryEighthSearchLooksAtTasksBeforeJoins) {
  constexpr int joins = 60;
  constexpr int tasks = 6;
  for (const local_order order : both) {
    scheduler all({.workers = 2, .order = order, .lifo_in_a_row = 0, .interval = {.fixed = never}, .steal_at_most = 1});
    gate other;
    record ran;
    std::atomic<int> left = joins + tasks;
    const auto runs = [&](char what) {
      ran(what);
      --left;
    };
    const auto stands = [&] {
      other.open();
      await([&] { return left == 0; });
    };
    all.spawn([&] { other.pass(); }).detach();
    all.spawn([&] {
         other.await_arrivals(1);
         for (int i = 0; i != tasks; ++i) licit::spawn([&] { runs('t'); });
         offer(joins, [&] { runs('j'); }, stands);
       })
        .get();
    EXPECT_EQ(ran.longest('j', "t"), 7U) << ran.letters();
    EXPECT_EQ(ran.longest('t', "j"), 1U) << ran.letters();
  }
}

// Tasks that were there before a look at the inject queue, and as many as can be in that.
TEST(Fairness, ALocalTaskWaitsBehindFewInjectedOnes) {
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.interval.fixed = 64;
    scheduler all(options);
    gate here;
    record ran;
    all.spawn([&] {
      for (int i = 0; i != 200; ++i) licit::spawn([&] { ran('L'); });
      here.pass();
    });
    here.await_arrivals(1);
    for (int i = 0; i != 200; ++i) all.spawn([&] { ran('i'); });
    here.open();
    EXPECT_EQ(all.shutdown().finished, 401U);
    EXPECT_EQ(ran.letters().size(), 400U);
    EXPECT_EQ(ran.longest('i', "L"), order == local_order::fifo ? 1U : 32U) << ran.letters();
  }
}

/// Polls, of which some come from the slot and every N-th is a look, in which k tasks that were before it have run.
std::uint64_t behind(std::uint64_t k) {
  const std::uint64_t own = (k + 1) * (1 + scheduler_options{}.lifo_in_a_row);
  return own + own / (interval - 1) + 1;
}

/// The polls until a task runs that has k tasks before it in a worker's own queue (youngest first: older ones), while
/// that worker is kept busy and `injected` tasks wait.
std::uint64_t polls_until_run(scheduler_options options, std::uint64_t k, int injected, int spawned_on_top) {
  scheduler all(options);
  gate here;
  std::uint64_t polls = 0;
  std::uint64_t waited = 0;
  busy work([&] { ++polls; });
  auto root = all.spawn([&] {
    here.pass();
    for (std::uint64_t i = 0; i != k; ++i) licit::spawn([&] { ++polls; });
    licit::spawn([&] {
      waited = ++polls;
      work.stop = true;
    });
    for (int i = 0; i != spawned_on_top; ++i) licit::spawn([&] { ++polls; });
    work.step();
    polls = 0;
  });
  here.await_arrivals(1);
  for (int i = 0; i != injected; ++i) all.spawn([&] { ++polls; });
  here.open();
  EXPECT_TRUE(all.shutdown().complete());
  return waited;
}

TEST(Fairness, ALocalTaskWaitsForThoseBeforeIt) {
  for (const local_order order : both) {
    for (const std::uint64_t k : {0, 1, 5, 40}) {
      for (const int injected : {0, 200}) {
        const std::uint64_t waited = polls_until_run(one_worker(order), k, injected, 50);
        EXPECT_GT(waited, k);
        EXPECT_LE(waited, order == local_order::fifo ? behind(k) : longest_wait(order) * (k + 1))
            << k << " before it, " << injected << " injected";
      }
    }
  }
}

// The oldest task of a full queue moves to the inject queue, and waits there. A deque grows instead.
TEST(Fairness, ATaskThatOverflowedWaitsLikeAnInjectedOne) {
  constexpr std::size_t capacity = 4;
  constexpr int injected = 50;
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.local_capacity = capacity;
    const std::uint64_t waited = polls_until_run(options, 0, injected, 20);
    if (order == local_order::fifo) {
      EXPECT_GT(waited, behind(0)) << "it did not overflow";
      EXPECT_LE(waited, (injected + 1) * longest_wait(order) + behind(capacity));
    } else {
      EXPECT_LE(waited, longest_wait(order));
    }
  }
}

// At most 9 polls to a look: that of the look before, and a stride of the clock. Youngest first, that one may be for
// the oldest of the own queue; to the next it takes 3, since each poll takes more than 100 us.
TEST(Fairness, AnInjectedTaskRunsWithinAFewPollsWhenPollsBecomeLong) {
  for (const local_order order : both) {
    for (std::uint64_t short_polls = 5000; short_polls != 5024; short_polls += 3) {
      scheduler all({.workers = 1, .order = order});
      gate here;
      std::uint64_t polls = 0;
      busy work([&] {
        if (++polls == short_polls) here.pass();
        if (polls > short_polls) std::this_thread::sleep_for(std::chrono::milliseconds{1});
      });
      all.spawn([&] { work.step(); }).detach();
      here.await_arrivals(1);
      std::uint64_t waited = 0;
      auto injected = all.spawn([&] {
        waited = polls - short_polls;
        work.stop = true;
      });
      here.open();
      injected.get();
      EXPECT_TRUE(all.shutdown().complete());
      EXPECT_LE(waited, order == local_order::fifo ? 9U : 12U);
    }
  }
}

// Whatever is spawned on top of them: every second look takes one of the two kinds in turn.
TEST(Fairness, UnderLifoOldTasksAndYieldedOnesTakeTurns) {
  for (const std::uint64_t k : {1, 4}) {
    scheduler all(one_worker(local_order::lifo));
    std::uint64_t polls = 0;
    std::uint64_t oldest = 0;
    std::uint64_t yielded = 0;
    std::uint64_t ended = 0;
    busy work([&] { ++polls; });
    const auto yields = [&]() -> task<> {
      for (int i = 0; i != 20; ++i) {
        const std::uint64_t before = polls;
        co_await licit::yield_now();
        yielded = std::max(yielded, ++polls - before);
      }
      if (++ended == k) work.stop = true;
    };
    all.spawn([&] {
      for (std::uint64_t i = 0; i != k; ++i) licit::spawn([&] { oldest = ++polls; });
      for (std::uint64_t i = 0; i != k; ++i) licit::spawn(yields());
      work.step();
    });
    EXPECT_TRUE(all.shutdown().complete());
    const std::uint64_t most = 2 * longest_wait(local_order::lifo) * k;
    EXPECT_LE(oldest, most) << k << " old ones";
    EXPECT_LE(yielded, most) << k << " that yield";
    EXPECT_GE(yielded, most - 2) << "the bound is not that of the code any more";
  }
}

// All workers stand. One goes on, takes its share, and stands in the first task of it.
TEST(Fairness, AWorkerTakesItsShareOfTheInjectedTasks) {
  for (const std::size_t capacity : {4, 256}) {
    for (const std::size_t there : {1, 2, 7, 40, 120, 300}) {
      constexpr std::size_t workers = 4;
      scheduler all({.workers = workers, .local_capacity = capacity});
      std::vector<gate> held(workers);
      gate last;
      for (gate& g : held) {
        all.spawn([&g] { g.pass(); });
        g.await_arrivals(1);
      }
      for (std::size_t i = 0; i != there; ++i) all.spawn([&last] { last.pass(); });
      const auto before = all.metrics().total().counts;
      held[0].open();
      last.await_arrivals(1);
      const auto counts = all.metrics().total().counts;
      EXPECT_EQ(counts.inject_batches - before.inject_batches, 1U);
      EXPECT_EQ(counts.items_from_inject - before.items_from_inject,
                std::min({there, there / workers + 1, std::size_t{32}, capacity}))
          << there << " injected, queues of " << capacity;
      last.open();
      for (gate& g : held) g.open();
      EXPECT_TRUE(all.shutdown().complete());
    }
  }
}

TEST(Fairness, TheSlotIsTakenThreeTimesInARow) {
  for (const local_order order : both) {
    for (const std::uint32_t in_a_row : {0U, 1U, 3U}) {
      scheduler_options options = one_worker(order);
      options.interval.fixed = never;
      options.lifo_in_a_row = in_a_row;
      scheduler all(options);
      record ran;
      std::function<void(int)> chain = [&](int left) {
        ran('s');
        if (left != 0) licit::spawn([&chain, left] { chain(left - 1); });
      };
      all.spawn([&] {
        for (int i = 0; i != 20; ++i) licit::spawn([&] { ran('q'); });
        licit::spawn([&] { chain(30); });
      });
      EXPECT_EQ(all.shutdown().finished, 52U);
      // Without a slot the youngest of a deque is next all the same.
      const std::size_t most = in_a_row != 0 ? in_a_row : order == local_order::fifo ? 0 : 31;
      EXPECT_EQ(ran.longest('s', "q"), most) << ran.letters();
      EXPECT_EQ(all.metrics().total().counts.slot_hits != 0, in_a_row != 0);
    }
  }
}

task<> says(record& ran, char c, int times) {
  for (int i = 0; i != times; ++i) {
    ran(c);
    co_await licit::yield_now();
  }
}

TEST(Fairness, WhoYieldsIsBehindTheOthers) {
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.interval.fixed = never;
    scheduler all(options);
    record ran;
    all.spawn([&] {
      for (const char c : {'a', 'b', 'c'}) licit::spawn(says(ran, c, 4));
    });
    EXPECT_EQ(all.shutdown().finished, 4U);
    // The slot's first; then as the queue gives them; then in turn.
    EXPECT_EQ(ran.letters(), order == local_order::fifo ? "cabcabcabcab" : "cbacbacbacba");
  }
}

TEST(Fairness, MoreTasksMayYieldThanAQueueHolds) {
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.local_capacity = 4;
    scheduler all(options);
    record ran;
    all.spawn([&] {
      for (int i = 0; i != 30; ++i) licit::spawn(says(ran, 'y', 10));
    });
    EXPECT_EQ(all.shutdown().finished, 31U);
    EXPECT_EQ(ran.letters().size(), 300U);
    EXPECT_NE(all.metrics().total().counts.overflows, 0U);
  }
}

TEST(Budget, IsThatOfTheOptions) {
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.budget = 8;
    scheduler all(options);
    const auto spends = [](int times) -> task<> {
      for (int i = 0; i != times; ++i) co_await licit::consume_budget();
    };
    all.spawn(spends(100)).get();
    await([&] { return all.metrics().total().counts.finished == 1; });
    const auto counts = all.metrics().total().counts;
    EXPECT_EQ(counts.forced_yields, 11U);  // 8 awaits and the one that yields
    EXPECT_EQ(counts.polls, 12U);
    EXPECT_EQ(all.spawn([] {
                   int left = 0;
                   while (licit::spend_budget()) ++left;
                   return left;
                 })
                  .get(),
              8);
  }
}

TEST(Budget, LetsTheOthersRun) {
  for (const local_order order : both) {
    scheduler all(one_worker(order));
    std::atomic<bool> ran = false;
    auto done = all.spawn([] {});
    await([&] { return done.done(); });
    auto selfish = all.spawn([](auto& other) -> task<std::uint64_t> {
      licit::spawn([] {}).detach();
      auto child = licit::spawn([&other] { other = true; });
      std::uint64_t rounds = 0;
      for (; !other; ++rounds) {
        co_await []() -> task<> { co_return; }();  // always ready
      }
      co_return rounds;
    }(ran));
    EXPECT_LE(selfish.get(), 2 * licit::budget_of_a_run);
  }
}

TEST(Budget, IsNotCountedInUnconstrainedScopes) {
  for (const local_order order : both) {
    scheduler_options options = one_worker(order);
    options.budget = 8;
    scheduler all(options);
    all.spawn([]() -> task<> {
         {
           const licit::unconstrained scope;
           for (int i = 0; i != 1000; ++i) co_await licit::consume_budget();
           co_await licit::yield_now();
           for (int i = 0; i != 1000; ++i) co_await licit::consume_budget();
         }
         for (int i = 0; i != 9; ++i) co_await licit::consume_budget();  // a whole budget, and one
       }())
        .get();
    EXPECT_TRUE(all.shutdown().complete());
    EXPECT_EQ(all.metrics().total().counts.forced_yields, 1U);
    EXPECT_EQ(all.metrics().total().counts.polls, 3U);
  }
}

}  // namespace
