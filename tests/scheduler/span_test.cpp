// Work and span, measured: exact by a clock that only the test advances; every kind of fork, who measures where.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

/// Each thread's own; `spend` is all that advances it.
thread_local std::uint64_t spent_here = 0;
std::atomic<std::uint64_t> spent_by_all = 0;
std::uint64_t virtual_time() noexcept { return spent_here; }
void spend(std::uint64_t ns) {
  spent_here += ns;
  spent_by_all += ns;
}

constexpr std::int64_t burden = 1000;
const licit::span_options by_spending{.clock = &virtual_time, .burden = nanoseconds(burden)};

struct expected {
  std::int64_t work = 0, span = 0, burdened = 0;
  std::uint64_t forks = 0, in_chain = 0;
};
void expect(const licit::span_report& r, const expected& e) {
  EXPECT_EQ(r.work.count(), e.work);
  EXPECT_EQ(r.span.count(), e.span);
  EXPECT_EQ(r.burdened_span.count(), e.burdened);
  EXPECT_EQ(r.forks, e.forks);
  EXPECT_EQ(r.forks_in_chain, e.in_chain);
  EXPECT_EQ(r.burden.count(), burden);
}

bool comes(const std::atomic<bool>& flag) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return flag;
}

void tree(int depth) {
  if (depth == 0) return spend(7);
  licit::join([=] { tree(depth - 1); }, [=] { tree(depth - 1); });
}
void skewed(int depth) {
  spend(3);
  if (depth != 0) licit::join([] { spend(10); }, [=] { skewed(depth - 1); });
}

TEST(Span, OfATree) {
  for (const std::size_t workers : {1U, 2U, 3U}) {
    licit::scheduler all({.workers = workers});
    for (const int depth : {0, 1, 2, 10}) {
      const std::int64_t leaves = 1 << depth;
      const licit::span_report r = all.measure_span([=] { tree(depth); }, by_spending);
      expect(r, {7 * leaves, 7, 7 + depth * burden, std::uint64_t(leaves - 1), std::uint64_t(depth)});
      EXPECT_DOUBLE_EQ(r.parallelism(), double(leaves));
      EXPECT_EQ(r.threads, workers + 1);
    }
  }
}

TEST(Span, OfAChain) {
  licit::scheduler all({.workers = 2});
  expect(all.measure_span([] { spend(5); }, by_spending), {5, 5, 5, 0, 0});
  expect(all.measure_span([] { skewed(20); }, by_spending),
         {21 * 3 + 200, 20 * 3 + 10, 20 * 3 + 10 + 20 * burden, 20, 20});
  expect(all.measure_span(
             [] {
               spend(1);
               for (int i = 0; i != 5; ++i) licit::join([=] { spend(10 + i); }, [] { spend(11); });
               spend(2);
             },
             by_spending),
         {3 + 60 + 55, 3 + 11 + 11 + 12 + 13 + 14, 64 + 5 * burden, 5, 5});
}

TEST(Span, BurdensMayChangeTheLongestChain) {
  licit::scheduler all({.workers = 1});
  expect(all.measure_span([] { licit::join([] { spend(1500); }, [] { tree(3); }); }, by_spending),
         {1500 + 56, 1500, 7 + 4 * burden, 8, 4});
}

TEST(Span, OfSeveral) {
  licit::scheduler all({.workers = 2});
  expect(all.measure_span([] { licit::join([] { spend(1); }, [] { spend(2); }, [] { spend(9); }, [] { spend(4); }); },
                          by_spending),
         {16, 9, 9 + 3 * burden, 3, 3});
}

/// A program: what it spends before its halves, which it may lack, and after them; and whether it throws then.
struct plan {
  std::uint64_t before, after;
  bool throws;
  std::vector<plan> halves;
};
plan random_plan(std::mt19937& draw, int depth) {
  plan made{draw() % 50, draw() % 50, draw() % 8 == 0, {}};
  if (depth == 0 || draw() % 5 == 0) return made;
  for (int i = 0; i != 2; ++i) made.halves.push_back(random_plan(draw, depth - 1));
  return made;
}
void run(const plan& p) {
  spend(p.before);
  const struct ends {
    std::uint64_t after;
    ~ends() { spend(after); }
  } at_end{p.after};
  if (!p.halves.empty()) licit::join([&] { run(p.halves[0]); }, [&] { run(p.halves[1]); });
  if (p.throws) throw std::runtime_error("planned");
}
expected of(const plan& p) {
  expected all, longest;
  for (const plan& half : p.halves) {
    const expected one = of(half);
    all.work += one.work;
    all.forks += one.forks;
    longest.span = std::max(longest.span, one.span);
    longest.burdened = std::max(longest.burdened, one.burdened + burden);
    longest.in_chain = std::max(longest.in_chain, one.in_chain + 1);
  }
  const auto own = std::int64_t(p.before + p.after);
  all.work += own;
  all.span = own + longest.span;
  all.burdened = own + longest.burdened;
  all.in_chain = longest.in_chain;
  all.forks += p.halves.empty() ? 0 : 1;
  return all;
}

TEST(Span, OfRandomTreesThatThrow) {
  for (const std::size_t workers : {1U, 3U}) {
    licit::scheduler all({.workers = workers});
    for (unsigned seed = 0; seed != 2 * licit_test::scale; ++seed) {
      std::mt19937 draw(seed);
      const plan p = random_plan(draw, 9);
      licit::span_report r;
      try {
        all.measure_span(r, [&] { run(p); }, by_spending);
      } catch (const std::runtime_error& planned) {
        EXPECT_STREQ(planned.what(), "planned");
      }
      expect(r, of(p));
      if (HasFailure()) FAIL() << "seed " << seed << ", " << workers << " workers";
    }
  }
}

TEST(Span, OfAStolenHalfTravelsBack) {
  licit::scheduler all({.workers = 1});
  for (const bool throws : {false, true}) {
    std::atomic<bool> began = false;
    licit::span_report r;
    const auto measured = [&] {
      all.measure_span(
          r,
          [&] {
            spend(1);
            licit::join(
                [&] {
                  EXPECT_TRUE(comes(began));
                  spend(10);
                },
                [&] {
                  began = true;
                  spend(100);
                  tree(2);
                  if (throws) throw std::runtime_error("half");
                });
            spend(2);
          },
          by_spending);
    };
    try {
      measured();
      EXPECT_FALSE(throws);
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(throws);
    }
    const int after = throws ? 0 : 2;
    expect(r, {1 + 10 + 100 + 28 + after, 1 + 107 + after, 1 + 107 + after + 3 * burden, 4, 3});
    EXPECT_GE(r.steals, 1U);
    EXPECT_DOUBLE_EQ(r.steals_of_bound(), double(r.steals) / (2 * 3));
  }
}

/// The caller's second half is stolen, and forks a job that the caller, which waits, runs.
TEST(Span, OfAJobThatAJoinerRunsIsNotTheJoiners) {
  licit::scheduler all({.workers = 1});
  std::atomic<bool> stolen = false, helped = false;
  const licit::span_report r = all.measure_span(
      [&] {
        const auto self = std::this_thread::get_id();
        licit::join(
            [&] {
              EXPECT_TRUE(comes(stolen));
              spend(5);
            },
            [&] {
              stolen = true;
              spend(20);
              licit::join([&] { EXPECT_TRUE(comes(helped)); },
                          [&] {
                            EXPECT_EQ(std::this_thread::get_id(), self);
                            spend(300);
                            helped = true;
                          });
            });
        spend(1);
      },
      by_spending);
  expect(r, {5 + 20 + 300 + 1, 321, 321 + 2 * burden, 2, 2});
  EXPECT_EQ(r.steals, 2U);
}

TEST(Span, OfALoopWithOneHeavyItem) {
  for (const std::size_t workers : {1U, 2U, 4U}) {
    licit::scheduler all({.workers = workers});
    const licit::span_report r = all.measure_span(
        [&] {
          spend(4);
          licit::parallel_for(0, 1000, [](int i) { spend(i == 300 ? 5000 : 2); }, {.grain = 1});
        },
        by_spending);
    expect(r, {4 + 999 * 2 + 5000, 5004, 5004 + 10 * burden, 999, 10});
  }
}

TEST(Span, OfALoopInALoop) {
  licit::scheduler all({.workers = 2});
  const licit::parallel_options single{.grain = 1};
  const licit::span_report r = all.measure_span(
      [&] {
        licit::parallel_for(
            0, 16, [&](int i) { licit::parallel_for(0, 32, [&](int j) { spend(i == 3 && j == 5 ? 9 : 1); }, single); },
            single);
      },
      by_spending);
  expect(r, {16 * 32 + 8, 9, 9 + 9 * burden, 15 + 16 * 31, 9});
}

/// The tree of 8 chunks: 3 combinations on each way, and the one with the initial value.
TEST(Span, OfAReduction) {
  for (const std::size_t workers : {1U, 3U}) {
    licit::scheduler all({.workers = workers});
    const std::vector<int> items(80, 1);
    int sum = 0;
    const licit::span_report r = all.measure_span(
        [&] {
          const auto plus = [](int a, int b) {
            spend(1);
            return a + b;
          };
          sum = licit::parallel_reduce(items.begin(), items.end(), 0, plus, {.grain = 10});
        },
        by_spending);
    EXPECT_EQ(sum, 80);
    expect(r, {80, 9 + 3 + 1, 13 + 3 * burden, 7, 3});
  }
}

/// What comes after both halves is in the chain of either. The first chunk is the longest.
TEST(Span, OfAReductionWithALongLeftHalf) {
  for (const std::size_t workers : {1U, 3U}) {
    licit::scheduler all({.workers = workers});
    const std::vector<int> items(8, 1);
    const licit::span_report r = all.measure_span(
        [&] {
          const auto plus = [](int a, int b) { return spend(1), a + b; };
          const auto each = [&](const int& x) { return spend(&x == items.data() ? 50 : 2), x; };
          (void)licit::parallel_transform_reduce(items.begin(), items.end(), 0, plus, each, {.grain = 1});
        },
        by_spending);
    expect(r, {50 + 7 * 2 + 8, 50 + 3 + 1, 54 + 3 * burden, 7, 3});
  }
}

/// Too few elements for divisions in parallel: n, and what follows from halves that are about equal.
TEST(Span, OfASortIsThatOfItsLargerParts) {
  for (const std::size_t workers : {1U, 3U}) {
    licit::scheduler all({.workers = workers});
    std::vector<std::uint32_t> items(20'000);
    std::ranges::generate(items, std::mt19937(1));
    const auto less = [](std::uint32_t a, std::uint32_t b) { return spend(1), a < b; };
    const licit::span_report r =
        all.measure_span([&] { licit::parallel_sort(items, less, {.grain = 16}); }, by_spending);
    EXPECT_GE(r.span, nanoseconds(items.size()));
    EXPECT_GT(r.parallelism(), 3);
    EXPECT_LE(r.forks_in_chain, 30U);
  }
}

/// Whoever runs what, the work is what all threads spent.
TEST(Span, OfEveryAlgorithm) {
  licit::scheduler all({.workers = 3});
  std::vector<std::uint32_t> items(2500 * licit_test::scale);
  std::ranges::generate(items, std::mt19937(1));
  std::vector<std::uint32_t> copy = items, out(items.size());
  const auto less = [](std::uint32_t a, std::uint32_t b) { return spend(1), a < b; };
  const auto odd = [](std::uint32_t a) { return spend(1), a % 2 == 1; };
  const auto plus = [](std::uint32_t a, std::uint32_t b) { return spend(1), a + b; };
  const auto each = [](std::uint32_t& a) { spend(a % 3); };
  const auto measured = [&](auto f) {
    copy = items;
    const std::uint64_t before = spent_by_all;
    const licit::span_report r = all.measure_span(f, by_spending);
    EXPECT_EQ(std::uint64_t(r.work.count()), spent_by_all - before);
    EXPECT_GT(r.forks, r.forks_in_chain);
    EXPECT_LT(r.span, r.work);
    EXPECT_GT(r.span.count(), 0);
    EXPECT_LE(r.steals, r.forks);
  };
  measured([&] { licit::parallel_sort(copy, less); });
  EXPECT_TRUE(std::ranges::is_sorted(copy));
  measured([&] { licit::parallel_stable_sort(copy, less); });
  EXPECT_TRUE(std::ranges::is_sorted(copy));
  measured([&] { licit::parallel_partition(copy, odd); });
  measured([&] { licit::parallel_copy_if(copy, out.begin(), odd); });
  measured([&] { licit::parallel_inclusive_scan(copy.begin(), copy.end(), out.begin(), plus); });
  measured([&] { licit::parallel_reduce_unordered(copy, 0U, plus); });
  measured([&] { (void)licit::parallel_min_element(copy, less); });
  measured([&] { licit::parallel_none_of(copy, [&](std::uint32_t a) { return spend(1), a == 0; }); });
  measured([&] { licit::parallel_for_each(copy, each); });
  measured([&] {
    licit::parallel_for_blocks({0, 100}, {0, 200}, [](const licit::index_block& b) { spend(b.rows.size()); });
  });
}

TEST(Span, OfALoopThatThrows) {
  licit::scheduler all({.workers = 2});
  licit::span_report r;
  const std::uint64_t before = spent_by_all;
  const auto body = [](int i) {
    spend(3);
    if (i == 700) throw std::runtime_error("item");
  };
  EXPECT_THROW(
      all.measure_span(r, [&] { licit::parallel_for(0, 1000, body, {.grain = 1}); }, by_spending), std::runtime_error);
  EXPECT_EQ(std::uint64_t(r.work.count()), spent_by_all - before);
  expect(all.measure_span([] { tree(1); }, by_spending), {14, 7, 7 + burden, 1, 1});  // nothing is left of it
}

TEST(Span, IsTheSameEverywhere) {
  licit::scheduler all({.workers = 2});
  const auto measured = [] { return licit::measure_span([] { tree(4); }, by_spending); };
  const expected is{112, 7, 7 + 4 * burden, 15, 4};
  const licit::span_report in_task = all.spawn(measured).get();
  expect(in_task, is);
  EXPECT_EQ(in_task.threads, 2U);
  expect(all.enter(measured), is);
  expect(all.join(measured, [] {}).first, is);
  expect(all.block_on([&]() -> licit::task<licit::span_report> { co_return measured(); }), is);
  licit::scheduler full({.workers = 2, .guests = 0});
  EXPECT_EQ(full.measure_span([] { tree(4); }, by_spending).threads, 1U);
  expect(full.measure_span([] { tree(4); }, by_spending), is);
  all.shutdown();
  const licit::span_report alone = all.measure_span([] { tree(4); }, by_spending);
  expect(alone, is);
  EXPECT_EQ(alone.steals, 0U);
  EXPECT_EQ(alone.threads, 1U);
}

TEST(Span, ReturnsTheValue) {
  licit::scheduler all({.workers = 1});
  licit::span_report r;
  int x = 4;
  int& same = all.measure_span(r, [&]() -> int& { return spend(6), x; }, by_spending);
  EXPECT_EQ(&same, &x);
  expect(r, {6, 6, 6, 0, 0});
}

TEST(Span, WithinAMeasurement) {
  licit::scheduler all({.workers = 2});
  licit::span_report inner;
  const licit::span_report outer = all.measure_span(
      [&] {
        spend(1);
        licit::join([&] { licit::measure_span(inner, [] { tree(3); }, {.burden = 5ns}); }, [] { tree(2); });
        spend(2);
      },
      by_spending);
  expect(inner, {56, 7, 7 + 3 * burden, 7, 3});
  expect(outer, {3 + 56 + 28, 10, 10 + 4 * burden, 11, 4});
}

TEST(Span, OfAnotherSchedulerIsATimeAlone) {
  licit::scheduler all({.workers = 1}), other({.workers = 1});
  expect(all.measure_span(
             [&] {
               licit::join([] { spend(1); }, [] { spend(2); });
               EXPECT_EQ(other.enter([] { return licit::join([] { return 1; }, [] { return 2; }); }).second, 2);
               licit::join([] { spend(3); }, [] { spend(4); });
             },
             by_spending),
         {10, 6, 6 + 2 * burden, 2, 2});
}

TEST(Span, OfATaskThatRunsInPlace) {
  licit::scheduler all({.workers = 1});
  expect(all.spawn([&] { return licit::measure_span([&] { all.spawn([] { tree(2); }).get(); }, by_spending); }).get(),
         {28, 7, 7 + 2 * burden, 3, 2});
}

TEST(Span, BadInput) {
  bool ran = false;
  EXPECT_THROW((void)licit::measure_span([&] { ran = true; }), std::logic_error);
  licit::scheduler all({.workers = 1});
  EXPECT_THROW((void)all.measure_span([&] { ran = true; }, {.burden = -1ns}), std::invalid_argument);
  EXPECT_THROW((void)all.measure_span([&] { ran = true; }, {.burden = std::chrono::nanoseconds::max()}),
               std::invalid_argument);
  EXPECT_FALSE(ran);
  EXPECT_THROW((void)all.measure_span([&] { all.shutdown(); }, by_spending), std::logic_error);
  expect(all.measure_span([] { tree(1); }, by_spending), {14, 7, 7 + burden, 1, 1});
}

[[gnu::noinline]] long endless(long n) {
  volatile char frame[512] = {};
  const auto [a, b] = licit::join([=] { return endless(n + 1); }, [] { return 1L; });
  return a + b + frame[0];
}
TEST(Span, OfARecursionWithoutEnd) {
  licit::scheduler all({.workers = 1});
  const auto measured = [] { (void)licit::measure_span([] { return endless(0); }, by_spending); };
  EXPECT_THROW(all.spawn(measured).get(), licit::stack_exhausted);
  EXPECT_THROW(all.enter(measured), licit::stack_exhausted);
  licit::scheduler full({.workers = 1, .guests = 0});
  EXPECT_THROW(full.enter(measured), licit::stack_exhausted);
}

TEST(Span, IsProcessorTime) {
  licit::scheduler all({.workers = 1});
  const licit::span_report slept = all.measure_span([] { std::this_thread::sleep_for(300ms); }, {.burden = 0ns});
  EXPECT_LT(slept.work, 150ms);
  EXPECT_GE(slept.elapsed, 300ms);
  const licit::span_report busy = all.measure_span(
      [] {
        const std::clock_t begun = std::clock();
        while (std::clock() - begun < CLOCKS_PER_SEC / 50) {
        }
      },
      {.burden = 0ns});
  EXPECT_GT(busy.work, 5ms);
  EXPECT_EQ(busy.work, busy.span);
}

TEST(Span, OfStealsIsMeasured) {
  const nanoseconds cost = licit::cost_of_a_steal();
  EXPECT_GT(cost, 0ns);
  EXPECT_EQ(licit::cost_of_a_steal(), cost);
  licit::scheduler all({.workers = 1});
  EXPECT_EQ(all.measure_span([] {}).burden, cost);
}

licit::span_report report(nanoseconds span, nanoseconds burdened) {
  return {.work = 12'345'678ns,
          .span = span,
          .burdened_span = burdened,
          .elapsed = 6'200us,
          .burden = 1'500ns,
          .forks = 4'095,
          .forks_in_chain = 12,
          .steals = 30,
          .threads = 3,
          .processors = 2};
}

TEST(Span, AsText) {
  EXPECT_EQ(text_table(report(3'210ns, 21'210ns)), R"(work T1                   12.3 ms   all parts, one after the other
span Tinf                 3.21 us   the longest chain of parts
span, burdened            21.2 us   with a steal a fork, of 1.50 us
parallelism                  3846   T1/Tinf
parallelism, burdened         582   T1/Tinf, burdened
time TP                   6.20 ms   on 3 threads, 2 processors; T1/processors + Tinf, burdened: 6.19 ms
speed-up                     1.99   T1/TP
forks                        4095   12 on the chain with the most
steals                         30   0.833 of threads x Tinf in forks
expected speed-up on 1: 1.00, 2: 2.00, 4: 3.98, 8: 7.90, 16: 15.6, 32: 30.4, 64: 57.7 processors
More processors would help: 4 in place of 2 would make it 1.99 times faster. No number makes it more than 582 times faster than one.
)");
}

TEST(Span, Verdicts) {
  EXPECT_EQ(verdict(licit::span_report()), "Nothing forks: more processors would not help.");
  EXPECT_EQ(
      verdict(report(9ms, 10ms)),
      "More processors would hardly help: 4 in place of 2 would make it 1.06 times faster. No number makes it more "
      "than 1.23 times faster than one.");
  EXPECT_EQ(verdict(report(1ms, 4ms)),
            "More processors would help a little: 4 in place of 2 would make it 1.34 times faster. No number makes it "
            "more than 3.09 times faster than one. Fewer forks, with larger leaves, would raise that.");
  EXPECT_EQ(verdict(report(1ms, 20ms)),
            "More processors would not help: with its steals, the longest chain takes longer than all parts together. "
            "Fewer forks, with larger leaves, would shorten it.");
}

}  // namespace
