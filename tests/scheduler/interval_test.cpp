#include <algorithm>
#include <cstdint>

#include <licit/scheduler/inject/interval.hpp>

#include <gtest/gtest.h>

namespace {

/// Stands still until it is told to go on.
struct held {
  static inline std::uint64_t time = 0;
  static inline int readings = 0;
  static std::uint64_t now() noexcept {
    ++readings;
    return time;
  }
};

using interval = licit::detail::tick_interval<held>;

/// Polls that take `ns` each, until it is time to look: how many.
std::uint32_t run(interval& of, std::uint64_t ns) {
  std::uint32_t polls = 0;
  while (!of.due()) {
    held::time += ns;
    ++polls;
  }
  return polls;
}

/// After a while of polls that long.
std::uint32_t settled(interval& of, std::uint64_t ns) {
  for (int i = 0; i != 5; ++i) run(of, ns);
  return run(of, ns);
}

TEST(Interval, AimsAtTheTarget) {
  interval of{{.target_ns = 200000}};
  EXPECT_EQ(settled(of, 50000), 4U);
  EXPECT_EQ(settled(of, 10000), 20U);
  EXPECT_EQ(settled(of, 2000), 100U);
  EXPECT_NEAR(settled(of, 1000), 200, 2);  // it learns the time every two polls
}

TEST(Interval, AimsAtAHundredMicrosecondsIfNothingElseIsSaid) {
  interval of{licit::interval_options{}};
  EXPECT_EQ(settled(of, 2000), 50U);
}

TEST(Interval, IsClampedAtBothEnds) {
  interval of{licit::interval_options{}};
  EXPECT_EQ(settled(of, 1000000), 2U);
  EXPECT_EQ(settled(of, 10), 255U);
  EXPECT_EQ(settled(of, 0), 255U);  // a clock that stands still
  interval narrow{{.least = 30, .most = 31}};
  EXPECT_EQ(settled(narrow, 1000000), 30U);
  EXPECT_EQ(settled(narrow, 10), 31U);
}

// Wherever in an interval polls begin to take 10 ms, a look is due within a stride.
TEST(Interval, WhenPollsBecomeLongALookIsDueWithinAStride) {
  struct {
    std::uint64_t before_ns;
    std::uint32_t most;
  } const rows[] = {{10, 8}, {100, 8}, {250, 8}, {500, 4}, {1000, 2}, {2000, 2}, {20000, 2}};  // `least` is 2
  for (const auto& row : rows) {
    std::uint32_t longest = 0;
    for (std::uint32_t at = 0; at != 300; ++at) {
      interval of{licit::interval_options{}};
      settled(of, row.before_ns);
      for (std::uint32_t i = 0; i != at; ++i) {
        (void)of.due();
        held::time += row.before_ns;
      }
      const std::uint32_t polls = run(of, 10000000);
      EXPECT_LE(polls, row.most) << row.before_ns << " ns before, at " << at;
      if (polls != 0) {  // otherwise the look was due before the first of them
        EXPECT_EQ(run(of, 10000000), 2U);
      }
      longest = std::max(longest, polls);
    }
    EXPECT_EQ(longest, row.most) << row.before_ns << " ns before: the bound is not that of the code any more";
  }
}

// 4 ms in which the thread did not run.
TEST(Interval, AStallLastsForAStride) {
  interval of{licit::interval_options{}};
  EXPECT_NEAR(settled(of, 500), 200, 4);
  for (int i = 0; i != 50; ++i) {
    EXPECT_FALSE(of.due());
    held::time += 500;
  }
  held::time += 4000000;
  EXPECT_LE(run(of, 500), 4U);
  EXPECT_NEAR(run(of, 500), 200, 4);
}

TEST(Interval, TimeParkedDoesNotCount) {
  interval of{licit::interval_options{}};
  EXPECT_EQ(settled(of, 10000), 10U);
  for (int i = 0; i != 5; ++i) EXPECT_FALSE(of.due());
  held::time += 3600000000000;
  of.restart();
  EXPECT_EQ(run(of, 10000), 10U);  // a whole interval again
}

TEST(Interval, EndsSoonIfItIsToldSo) {
  interval of{licit::interval_options{}};
  for (const std::uint64_t ns : {10, 100, 1000}) {
    settled(of, ns);
    for (const std::uint32_t polls : {2U, 3U, 7U, 8U, 9U, 32U}) {
      of.soon(polls);
      EXPECT_EQ(run(of, ns), polls);
    }
    of.soon(0);
    EXPECT_EQ(run(of, ns), 0U);
    EXPECT_GE(run(of, ns), 98U) << "only the interval in which it was said";
    for (int i = 0; i != 20; ++i) EXPECT_FALSE(of.due());
    of.soon(5);  // from now on
    EXPECT_EQ(run(of, 0), 5U);
  }
}

TEST(Interval, IsNotLongerThanItWouldBeForBeingToldSoon) {
  interval of{licit::interval_options{}};
  EXPECT_EQ(settled(of, 20000), 5U);
  of.soon(32);
  EXPECT_EQ(run(of, 20000), 5U);
  of.soon(3);
  of.soon(32);
  EXPECT_EQ(run(of, 20000), 3U);
}

TEST(Interval, AFixedOneReadsNoClock) {
  held::readings = 0;
  interval of{{.fixed = 3}};
  EXPECT_FALSE(of.adapts());
  for (int i = 0; i != 10; ++i) EXPECT_EQ(run(of, 1000000), 3U);
  of.restart();
  EXPECT_EQ(run(of, 0), 3U);
  of.soon(1);
  EXPECT_EQ(run(of, 0), 3U);
  EXPECT_EQ(held::readings, 0);
}

TEST(Interval, AnAdaptingOneReadsTheClockAboutEveryTwoMicroseconds) {
  interval of{licit::interval_options{}};
  const auto readings = [&of](std::uint64_t ns) {
    settled(of, ns);
    held::readings = 0;
    const std::uint32_t polls = run(of, ns);
    return polls / held::readings;
  };
  EXPECT_EQ(readings(5000), 1U);
  EXPECT_EQ(readings(1000), 2U);
  EXPECT_EQ(readings(250), 7U);  // 8, but for the last
  EXPECT_EQ(readings(10), 7U);
}

}  // namespace
