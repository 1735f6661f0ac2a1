// The simulated machine, whose times are known exactly; and the scheduler's loop on it, which is the same in every run.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "experiment.hpp"

namespace {

using namespace licit_simulation;

/// Prices whose sums show what they are of.
costs prices() {
  return {.hit = 1,
          .store = 2,
          .update = 5,
          .fence = 7,
          .read_dirty = 100,
          .read_clean = 80,
          .write_dirty = 120,
          .write_shared = 110,
          .pause = 20,
          .clock = 20,
          .futex_refused = 300,
          .futex_wake = 8'000,
          .futex_latency = 15'000,
          .membarrier = 400,
          .membarrier_other = 1'000,
          .interrupted = 200,
          .steal = 500,
          .task = 50'000};
}

/// The costs of a file, in picoseconds.
costs realistic() {
  costs all = prices();
  for (picoseconds* each :
       {&all.hit, &all.store, &all.update, &all.fence, &all.read_dirty, &all.read_clean, &all.write_dirty,
        &all.write_shared, &all.pause, &all.clock, &all.futex_refused, &all.futex_wake, &all.futex_latency,
        &all.membarrier, &all.membarrier_other, &all.interrupted, &all.steal}) {
    *each *= 1000;
  }
  return all;
}

/// When each processor has ended what it does from a time on.
struct task_at {
  picoseconds from;
  std::function<void(machine&)> does;
};
std::vector<picoseconds> ends(const std::vector<task_at>& all, faults planted = {}) {
  machine m(prices(), all.size(), planted);
  std::vector<picoseconds> at(all.size());
  for (std::size_t i = 0; i != all.size(); ++i) {
    m.start(i, [&, i] {
      m.wait_until(all[i].from);
      all[i].does(m);
      at[i] = m.now();
    });
  }
  m.run();
  return at;
}

struct alignas(64) word {
  std::uint64_t value = 0;
};
using times = std::vector<picoseconds>;

TEST(SimulatedMachine, ChargesForWhereALineIs) {
  const word w;
  const auto update = [&](machine& m) { m.update(&w); };
  const auto load = [&](machine& m) { m.load(&w); };
  const auto twice = [&](machine& m) { m.load(&w), m.load(&w); };
  EXPECT_EQ(ends({{0, update}, {1000, twice}, {2000, load}, {3000, load}, {4000, update}}),
            (times{5, 1000 + 100 + 1, 2000 + 80, 3000 + 80, 4000 + 110 + 5}))
      << "in the own cache, dirty, clean, clean, shared";
  EXPECT_EQ(ends({{0, update}, {1000, update}}), (times{5, 1000 + 120 + 5})) << "dirty";
}

TEST(SimulatedMachine, GivesALineToOneWriterAfterTheOther) {
  const word w;
  const auto update = [&](machine& m) { m.update(&w); };
  const auto retries = [&](machine& m) { m.update(&w), m.update(&w); };
  const picoseconds kept = 2 * 5 + 1;
  EXPECT_EQ(ends({{0, update}, {10, update}, {20, retries}, {30, update}}),
            (times{5, 10 + 120 + 5, 10 + 120 + kept + 120 + 5 + 5, 10 + 3 * 120 + 2 * kept + 5}))
      << "who retries at once still has the line";
}

TEST(SimulatedMachine, AStoreIsWaitedForByTheNextUpdateOnly) {
  const word a, b;
  const auto own = [&](machine& m) { m.update(&a), m.update(&b); };
  const auto goes_on = [&](machine& m) { m.store(&a), m.load(&a); };
  const auto fences = [&](machine& m) { m.store(&b), m.full_fence(); };
  EXPECT_EQ(ends({{0, own}, {1000, goes_on}, {2000, fences}}), (times{10, 1000 + 2 + 1, 2000 + 120 + 7}));
}

TEST(SimulatedMachine, SleepsUntilWoken) {
  simulated::atomic<std::uint32_t> w;
  const auto sleep = [&](machine&) { w.futex_wait(0, own_site{}); };
  const auto wake = [&](machine&) { w.futex_wake_one("wake"); };
  EXPECT_EQ(ends({{0, sleep}, {1000, wake}}), (times{1000 + 15'000, 1000 + 8'000}));
  EXPECT_EQ(ends({{2000, sleep}, {0, wake}, {3000, wake}}), (times{3000 + 15'000, 300, 3000 + 8'000}))
      << "nobody slept at the first";
  EXPECT_THROW(ends({{0, sleep}, {1000, wake}}, {.loses_wakes = true}), deadlock);
}

TEST(SimulatedMachine, AMembarrierInterruptsWhoIsAwake) {
  simulated::atomic<std::uint32_t> w;
  const auto sleep = [&](machine&) { w.futex_wait(0, own_site{}); };
  const auto barrier = [&](machine& m) {
    m.heavy_fence();
    w.futex_wake_one("wake");
  };
  const auto computes = [&](machine& m) {
    m.spend(5000);
    m.wait_until(0);
  };
  const auto at = ends({{0, sleep}, {1000, barrier}, {0, computes}});
  EXPECT_EQ(at[1], 1000 + 400 + 1000 + 8000U);
  EXPECT_EQ(at[2], 5000 + 200U);
}

TEST(SimulatedMachine, SaysWhatTimeGoesInto) {
  const word w;
  const auto writes = [&](machine& m) { m.update(&w); };  // is about nothing
  account all;
  const auto works = [&](machine& m) {
    m.turn_to(activity::running);
    m.spend(1000);
    EXPECT_EQ(m.turn_to(activity::waiting), activity::running);
    m.update(&w);
    m.heavy_fence();
    all = m.spent();
  };
  EXPECT_EQ(ends({{0, writes}, {1000, works}})[1], 1000 + 1000 + 120 + 5 + 400U);
  EXPECT_EQ(all.about, (std::array<picoseconds, 4>{0, 0, 1000, 120 + 5 + 400}));
  EXPECT_EQ(all[expense::computing], 1000U);
  EXPECT_EQ(all[expense::lines], 120U);
  EXPECT_EQ(all[expense::cache], 5U);
  EXPECT_EQ(all[expense::barriers], 400U);
  EXPECT_EQ(all[expense::queueing] + all[expense::pauses] + all[expense::wakes], 0U);
}

TEST(SimulatedMachine, RefusesAFileOfCostsThatIsNotWhole) {
  std::istringstream unknown("hit 1 x\nnothing 2 y\n");
  EXPECT_THROW(costs::read(unknown), std::runtime_error);
  std::istringstream short_one("# comment\nhit 1 x\n");
  EXPECT_THROW(costs::read(short_one), std::runtime_error);
  std::istringstream negative("hit -1 x\n");
  EXPECT_THROW(costs::read(negative), std::runtime_error);
}

TEST(SimulatedPrograms, HaveTheWorkAndSpanThatTheySay) {
  const costs none{};
  const shape tree = shape_of(balanced(3), balanced(3).root, none);
  EXPECT_EQ(tree.parts, 15U);
  EXPECT_EQ(tree.in_forks, 3U);
  EXPECT_EQ(tree.work, 8 * 40'000'000U + 7 * 40'000U);
  EXPECT_EQ(tree.span, 40'000'000U + 3 * 40'000U);
  const shape fib_of_ten = shape_of(fib(10), fib(10).root, {.steal = 7, .task = 3});
  EXPECT_EQ(fib_of_ten.parts, 177U);
  EXPECT_EQ(fib_of_ten.in_forks, 9U);
  EXPECT_EQ(fib_of_ten.burdened - fib_of_ten.span, 9 * 7 + 10 * 3U);
  const shape sorted = shape_of(sort(1 << 15), sort(1 << 15).root, none);
  EXPECT_EQ(sorted.in_forks, 2 + 1 + 2U) << "two halvings; a merge of half, one of all";
}

outcome run_small(const std::string& name, const strategy& how, std::size_t workers, std::uint64_t seed = 1,
                  faults planted = {}) {
  for (const program& each : programs(true)) {
    if (each.name == name) {
      return run(each, how, {.workers = workers, .seed = seed, .prices = realistic(), .planted = planted});
    }
  }
  throw std::logic_error(name);
}
const strategy& named(const std::string& name) {
  return *std::ranges::find_if(strategies, [&](const strategy& s) { return s.name == name; });
}

/// A program never ends before its longest chain and its share of the work, and each part is a task once.
TEST(SimulatedStrategies, RunEveryPartOnce) {
  for (const program& each : tree_programs(true)) {
    const shape s = shape_of(each, each.root, realistic());
    for (const strategy& how : strategies) {
      for (const std::size_t workers : {1U, 2U, 5U, 16U, 40U}) {
        const outcome o = run(each, how, {.workers = workers, .prices = realistic()});
        EXPECT_GE(o.time, s.span) << each.name << ' ' << how.name << ' ' << workers;
        EXPECT_GE(o.time, s.work / workers) << each.name << ' ' << how.name << ' ' << workers;
        const bool tasks = how.how != way::split && how.how != way::joins;
        EXPECT_EQ(o.all.polls, tasks ? s.parts : o.all.polls) << each.name << ' ' << how.name << ' ' << workers;
        EXPECT_TRUE(workers != 1 || o.all.steals == 0) << each.name << ' ' << how.name;
      }
    }
  }
}

TEST(SimulatedStrategies, AreTheSameInEveryRun) {
  const auto all = [](const outcome& o) {
    return std::vector<std::uint64_t>{o.time,     o.all.steals, o.all.tried, o.all.sleeps, o.wakes,
                                      o.accesses, o.misses,     o.asleep,    o.all.busy};
  };
  for (const strategy& how : strategies) {
    EXPECT_EQ(all(run_small("sort", how, 13)), all(run_small("sort", how, 13))) << how.name;
  }
  EXPECT_NE(all(run_small("sort", named("lifo"), 13)), all(run_small("sort", named("lifo"), 13, 2)));
}

/// No thefts, no chance: every figure follows from the prices.
TEST(SimulatedStrategies, OfTheCentralQueueAreKnown) {
  const outcome one = run_small("balanced", named("central"), 1);
  EXPECT_EQ(one.all.polls, 255U);
  const outcome four = run_small("balanced", named("central"), 4);
  EXPECT_EQ(one.time, 5'134'424'000U);
  EXPECT_EQ(four.time, 1'372'145'000U);
  EXPECT_EQ(four.wakes, 2U);
}

TEST(SimulatedStrategies, SpeedUp) {
  const picoseconds alone = run_small("balanced", named("lifo"), 1).time;
  EXPECT_GT(alone, 3 * run_small("balanced", named("lifo"), 4).time);
  EXPECT_GT(alone, 3 * run_small("balanced", named("fifo"), 4).time);
}

/// Whatever a worker does is counted, once by what it is about and once by what it takes.
TEST(SimulatedStrategies, AccountForAllTime) {
  for (const char* name : {"lifo", "join-full"}) {
    for (const std::size_t workers : {1U, 8U}) {
      const outcome o = run_small("sort", named(name), workers);
      const auto sum = [](const auto& parts) { return std::accumulate(parts.begin(), parts.end(), picoseconds{0}); };
      EXPECT_EQ(sum(o.spent.about), sum(o.spent.into)) << name;
      const auto of_all = static_cast<double>(o.time * workers);
      EXPECT_NEAR(static_cast<double>(sum(o.spent.about) + o.asleep), of_all, of_all / 100) << name << workers;
    }
  }
}

/// A joiner that looks at many sides sees meanwhile that its job is complete: each look takes as long as some leaves.
TEST(SimulatedStrategies, AJoinerGoesOnWhenItsJobIsComplete) {
  const program tree = balanced(14);
  const outcome o = run(tree, named("join-full"), {.workers = 256, .prices = realistic()});
  EXPECT_LT(o.spent[activity::waiting] * 6, o.spent[activity::running]);
}

/// Who waits at a join, and runs only what descends from it, is idle beside a tree that has work.
TEST(SimulatedStrategies, WaitingForDescendantsHasItsPrice) {
  const auto time = [](const char* rule) { return run_small("rod", named(rule), 16).time; };
  EXPECT_GT(time("join-full"), time("join-anything") * 11 / 10);
}

/// Whoever loses a wake-up, or removes it, is found: nothing wakes up by itself here.
TEST(SimulatedStrategies, WithoutWakeUpsNeverEnd) {
  for (const strategy& how : strategies) {
    EXPECT_THROW(run_small("balanced", how, 4, 1, {.loses_wakes = true}), deadlock) << how.name;
  }
}

/// Eight workers that are awake wake others, not one after the other.
TEST(SimulatedStrategies, WorkersWakeByAFactor) {
  const program tree = balanced(12);
  const setting many{.workers = 256, .prices = realistic()};
  const picoseconds together = run(tree, named("lifo"), many).time;
  const picoseconds one_by_one = run(tree, named("one-by-one"), many).time;
  EXPECT_GT(one_by_one, 3 * together / 2);
}

}  // namespace
