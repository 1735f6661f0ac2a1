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

constexpr licit::interval_options two_hundred_us{.target_ns = 200000};

/// Polls that take `ns` each, until it is time to look: how many.
std::uint32_t run(interval& of, std::uint64_t ns) {
  std::uint32_t polls = 0;
  while (!of.due()) {
    held::time += ns;
    ++polls;
  }
  of.tick();
  return polls;
}

/// After a while of polls that long.
std::uint32_t settled(interval& of, std::uint64_t ns) {
  for (int i = 0; i != 200; ++i) run(of, ns);
  return of.polls();
}

TEST(Interval, BeginsWithSixtyOne) {
  interval of{two_hundred_us};
  EXPECT_EQ(of.polls(), 61U);
  EXPECT_EQ(run(of, 0), 61U);
}

TEST(Interval, AimsAtTheTarget) {
  interval of{two_hundred_us};
  EXPECT_NEAR(settled(of, 10000), 20, 1);  // 200 microseconds of 10
  EXPECT_NEAR(settled(of, 2000), 100, 1);
  EXPECT_NEAR(settled(of, 4000), 50, 1);
}

TEST(Interval, AimsAtAHundredMicrosecondsIfNothingElseIsSaid) {
  interval of{licit::interval_options{}};
  EXPECT_NEAR(settled(of, 2000), 50, 1);
}

TEST(Interval, IsClampedAtBothEnds) {
  interval of{two_hundred_us};
  EXPECT_EQ(settled(of, 1000000), 8U);
  EXPECT_EQ(settled(of, 10), 255U);
  EXPECT_EQ(settled(of, 0), 255U);  // a clock that stands still
  interval narrow{{.target_ns = 200000, .least = 30, .most = 31}};
  EXPECT_EQ(settled(narrow, 1000000), 30U);
  EXPECT_EQ(settled(narrow, 10), 31U);
}

// By the numbers: average 200000 / 61 = 3278.69, then 0.9 of it and 0.1 of 10000, and so on.
TEST(Interval, EachIntervalCountsATenth) {
  interval of{two_hundred_us};
  run(of, 10000);
  EXPECT_EQ(of.polls(), 50U);  // 3950.8
  run(of, 10000);
  EXPECT_EQ(of.polls(), 43U);  // 4555.7
  run(of, 10000);
  EXPECT_EQ(of.polls(), 39U);  // 5100.2
}

// 4 ms in which the thread did not run, among polls of 1 microsecond: 72 us a poll on the mean of that interval.
TEST(Interval, OneStallDoesNotDecide) {
  interval of{two_hundred_us};
  EXPECT_EQ(settled(of, 1000), 199U);
  held::time += 4000000;
  run(of, 1000);
  EXPECT_GT(of.polls(), 60U);
}

TEST(Interval, TimeParkedDoesNotCount) {
  interval of{two_hundred_us};
  EXPECT_NEAR(settled(of, 10000), 20, 1);
  const std::uint32_t before = of.polls();
  for (int i = 0; i != 5; ++i) EXPECT_FALSE(of.due());
  held::time += 3600000000000;
  of.restart();
  EXPECT_EQ(of.polls(), before);
  EXPECT_EQ(run(of, 10000), before);  // a whole interval again
  EXPECT_NEAR(of.polls(), 20, 1);
}

TEST(Interval, AnIntervalWithoutPollsTeachesNothing) {
  interval of{two_hundred_us};
  held::time += 1000000;
  of.tick();
  EXPECT_EQ(of.polls(), 61U);
}

TEST(Interval, AFixedOneReadsNoClock) {
  held::readings = 0;
  interval of{{.fixed = 3}};
  EXPECT_FALSE(of.adapts());
  for (int i = 0; i != 10; ++i) EXPECT_EQ(run(of, 1000000), 3U);
  of.restart();
  EXPECT_EQ(run(of, 0), 3U);
  EXPECT_EQ(held::readings, 0);
}

TEST(Interval, AnAdaptingOneReadsTheClockOnceATick) {
  interval of{two_hundred_us};
  held::readings = 0;
  run(of, 1000);
  EXPECT_EQ(held::readings, 1);
}

}  // namespace
