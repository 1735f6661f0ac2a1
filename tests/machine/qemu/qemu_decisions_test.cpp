// What executions are made of: by strategies, and again by what was taken.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "machine/qemu/decisions.hpp"

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
