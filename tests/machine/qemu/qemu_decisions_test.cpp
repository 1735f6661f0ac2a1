// What executions are made of; how failing ones are made smaller; where threads meet.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "machine/qemu/decisions.hpp"
#include "machine/qemu/strategy.hpp"

namespace licit::qemu {
namespace {

constexpr std::array<unsigned, 3> three{0, 1, 2};

strategy made(scheduling how, std::uint64_t number) { return {how, 1, number, three.size()}; }

decisions::list played(decisions& d) {
  for (int i = 0; i != 50; ++i) {
    (void)d.thread(three, true);
    (void)d.value(3);
  }
  return d.taken();
}

class of_a_schedule : public testing::TestWithParam<scheduling> {};

TEST_P(of_a_schedule, the_same_number_takes_the_same) {
  decisions a;
  decisions b;
  a.begin(made(GetParam(), 7));
  b.begin(made(GetParam(), 7));
  EXPECT_EQ(played(a), played(b));
}

TEST_P(of_a_schedule, numbers_differ) {
  std::set<decisions::list> all;
  decisions d;
  for (std::uint64_t n = 0; n != 20; ++n) {
    d.begin(made(GetParam(), n));
    all.insert(played(d));
  }
  EXPECT_GT(all.size(), 10U);
}

TEST_P(of_a_schedule, any_thread_comes_first_and_any_value_is_read) {
  std::set<std::size_t> first;
  std::set<std::size_t> values;
  for (std::uint64_t n = 0; n != 100; ++n) {
    strategy s = made(GetParam(), n);
    first.insert(s.thread(three, false));
    values.insert(s.value(3));
  }
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(values.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(all, of_a_schedule,
                         testing::Values(scheduling::mixed, scheduling::random, scheduling::sticky,
                                         scheduling::standing, scheduling::pct));

TEST(decisions, a_script_is_followed_and_then_the_plain_ones) {
  decisions d;
  d.begin(decisions::list{2, 1});
  EXPECT_EQ(d.thread(three, true), 2U);
  EXPECT_EQ(d.value(3), 1U);
  EXPECT_EQ(d.thread(three, true), 0U);
  EXPECT_EQ(d.value(3), 0U);
  EXPECT_EQ(d.taken(), (decisions::list{2, 1, 0, 0}));
}

TEST(decisions, where_there_is_one_way_nothing_is_decided) {
  decisions d;
  d.begin(decisions::list{5});
  EXPECT_EQ(d.value(1), 0U);
  EXPECT_TRUE(d.taken().empty());
  EXPECT_EQ(d.value(3), 2U) << "the last there is, for a script of another execution";
}

TEST(decisions, what_was_taken_is_a_script_of_the_same) {
  decisions d;
  d.begin(made(scheduling::mixed, 3));
  const decisions::list taken = played(d);
  d.begin(taken);
  EXPECT_EQ(played(d), taken);
}

TEST(strategy, sticky_stays_more_often_than_random) {
  std::map<scheduling, unsigned> stayed;
  for (const scheduling how : {scheduling::sticky, scheduling::random}) {
    for (std::uint64_t n = 0; n != 100; ++n) {
      strategy s = made(how, n);
      for (int i = 0; i != 20; ++i) stayed[how] += s.thread(three, true) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(stayed[scheduling::sticky], stayed[scheduling::random] * 3 / 2);
}

/// How long the longest time was in which one of two threads had no turn, though both always could run.
unsigned longest_stand(scheduling how, std::uint64_t number) {
  strategy s{how, 1, number, 2};
  unsigned running = 0;
  unsigned longest = 0;
  unsigned stands = 0;
  for (int i = 0; i != 600; ++i) {
    const std::array<unsigned, 2> candidates{running, 1 - running};
    const unsigned next = candidates[s.thread(candidates, true)];
    stands = next == running ? stands + 1 : 0;
    longest = std::max(longest, stands);
    running = next;
  }
  return longest;
}

TEST(strategy, a_thread_that_stands_does_so_once_and_not_for_ever) {
  unsigned long_ones = 0;
  for (std::uint64_t n = 0; n != 100; ++n) long_ones += longest_stand(scheduling::standing, n) >= 200 ? 1 : 0;
  EXPECT_GT(long_ones, 5U) << "256 turns: one in six";
  EXPECT_LT(long_ones, 50U) << "a thread that nobody waits for goes on";
}

TEST(strategy, pct_switches_at_most_as_often_as_priorities_change) {
  for (std::uint64_t n = 0; n != 100; ++n) {
    strategy s = made(scheduling::pct, n);
    auto running = static_cast<unsigned>(s.thread(three, false));
    unsigned switches = 0;
    for (int i = 0; i != 300; ++i) {
      std::array<unsigned, 3> candidates{running, (running + 1) % 3, (running + 2) % 3};
      const unsigned next = candidates[s.thread(candidates, true)];
      switches += next == running ? 0 : 1;
      running = next;
    }
    EXPECT_LE(switches, 3U);
  }
}

TEST(strategy, under_pct_who_gives_way_does_not_come_again) {
  for (std::uint64_t n = 0; n != 100; ++n) {
    strategy s = made(scheduling::pct, n);
    const auto spins = static_cast<unsigned>(s.thread(three, false));
    s.give_way(spins);
    for (int i = 0; i != 3; ++i) EXPECT_NE(s.thread(three, false), spins);
  }
}

}  // namespace
}  // namespace licit::qemu

namespace licit::qemu {
namespace {

using list = decisions::list;

// The smallest that fails by `fails`, and how many were tried.
list smallest(const list& from, const std::function<bool(const list&)>& fails, unsigned* tried = nullptr) {
  shrink s(from);
  unsigned n = 0;
  while (const auto script = s.propose()) {
    s.judge(fails(*script), *script);
    if (++n > 10'000) ADD_FAILURE() << "does not end";
    if (n > 10'000) break;
  }
  if (tried != nullptr) *tried = n;
  return s.smallest();
}

TEST(shrink, what_is_needed_stays) {
  const auto needs = [](const list& l) { return l[3] == 1 && l[17] == 2; };
  list from(40, 1);
  from[17] = 2;
  list wanted(40, 0);
  wanted[3] = 1;
  wanted[17] = 2;
  EXPECT_EQ(smallest(from, needs), wanted);
}

TEST(shrink, one_that_always_fails_becomes_plain) {
  EXPECT_EQ(smallest(list(30, 3), [](const list&) { return true; }), list(30, 0));
}

TEST(shrink, one_that_needs_all_stays_and_ends) {
  const list all(20, 1);
  unsigned tried = 0;
  EXPECT_EQ(smallest(all, [&](const list& l) { return l == all; }, &tried), all);
  EXPECT_LT(tried, 100U);
}

TEST(shrink, no_single_decision_can_be_made_plain_in_the_end) {
  const auto fails = [](const list& l) { return (l[1] != 0 && l[2] != 0) || (l[5] != 0 && l[6] != 0 && l[9] != 0); };
  list found = smallest(list(12, 1), fails);
  ASSERT_TRUE(fails(found));
  for (auto& which : found) {
    if (which == 0) continue;
    which = 0;
    EXPECT_FALSE(fails(found));
    which = 1;
  }
}

TEST(shrink, a_plain_one_has_nothing_to_try) {
  unsigned tried = 1;
  EXPECT_EQ(smallest(list(5, 0), [](const list&) { return true; }, &tried), list(5, 0));
  EXPECT_EQ(tried, 0U);
}

// A changed decision changes what comes after it: other decisions are then taken, more of them perhaps.
TEST(shrink, an_execution_that_is_not_plainer_is_not_taken) {
  shrink s(list{1, 1});
  (void)s.propose();
  s.judge(true, list{0, 1, 1, 1});
  EXPECT_EQ(s.smallest(), (list{1, 1}));
  unsigned tried = 0;
  while (s.propose() && tried != 100) {
    s.judge(true, list{0, 1, 1, 1});
    ++tried;
  }
  EXPECT_LT(tried, 10U);
}

}  // namespace
}  // namespace licit::qemu

namespace licit::qemu {
namespace {

struct a_survey : testing::Test {
  a_survey() { learnt.begin(0x1000, 0x1100); }
  survey learnt;
};

TEST_F(a_survey, one_that_is_alone_meets_nobody) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.saw(0, 0x1010, 8, false);
  EXPECT_FALSE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, a_write_and_another_thread_meet) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.saw(1, 0x1010, 8, false);
  EXPECT_TRUE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, who_only_reads_meets_nobody) {
  learnt.saw(0, 0x1010, 8, false);
  learnt.saw(1, 0x1010, 8, false);
  EXPECT_FALSE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, where_nobody_was_threads_may_meet) {
  EXPECT_TRUE(learnt.meet(0x1020, 8));
  learnt.saw(0, 0x1020, 8, true);
  EXPECT_FALSE(learnt.meet(0x1020, 8));
  EXPECT_TRUE(learnt.meet(0x1020, 16)) << "its second half is new";
}

TEST_F(a_survey, parts_of_a_place_are_the_place) {
  learnt.saw(0, 0x1032, 1, true);
  learnt.saw(1, 0x1034, 4, false);
  EXPECT_TRUE(learnt.meet(0x1030, 4)) << "too often is no harm";
  learnt.saw(0, 0x1038, 8, true);
  learnt.saw(2, 0x103c, 8, true);
  EXPECT_FALSE(learnt.meet(0x1040, 8));
  EXPECT_TRUE(learnt.meet(0x1038, 8));
}

TEST_F(a_survey, another_region_is_new) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.begin(0x1000, 0x1100);
  EXPECT_TRUE(learnt.meet(0x1010, 8));
}

}  // namespace
}  // namespace licit::qemu
