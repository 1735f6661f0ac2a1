#include <cstddef>

#include <licit/scheduler/idle/patience.hpp>

#include <gtest/gtest.h>

namespace {

using licit::detail::patience;

unsigned wait_after(patience& p, std::size_t items) {
  p.caught(items);
  return p.due();
}

TEST(Patience, WhoStoleNothingDoesNotWait) {
  patience p;
  EXPECT_EQ(p.due(), 0U);
}

TEST(Patience, EachTheftOfLittleDoublesTheWaitUpToTheLongest) {
  patience p;
  unsigned before = 0;
  for (unsigned wait = wait_after(p, 1); wait != patience::longest; wait = wait_after(p, 1)) {
    EXPECT_EQ(wait, 2 * before + 1);
    before = wait;
  }
  EXPECT_EQ(wait_after(p, patience::few - 1), patience::longest);
}

TEST(Patience, IsOwedOnceForEachTheft) {
  patience p;
  p.caught(1);
  EXPECT_EQ(p.due(), 1U);
  EXPECT_EQ(p.due(), 0U);
}

TEST(Patience, EnoughLeavesTheWaitAsItIsAndPlentyHalvesIt) {
  patience p;
  for (int i = 0; i != 4; ++i) p.caught(1);
  EXPECT_EQ(p.due(), 15U);
  EXPECT_EQ(wait_after(p, patience::few), 15U);
  EXPECT_EQ(wait_after(p, patience::plenty), 7U);
}

TEST(Patience, EndsWithPlenty) {
  patience p;
  for (int i = 0; i != 20; ++i) p.caught(1);
  for (int i = 0; i != 7; ++i) p.caught(patience::plenty);
  EXPECT_EQ(p.due(), 0U);
}

TEST(Patience, IsForgotten) {
  patience p;
  for (int i = 0; i != 5; ++i) p.caught(1);
  p.forget();
  EXPECT_EQ(p.due(), 0U);
  EXPECT_EQ(wait_after(p, 1), 1U);
}

}  // namespace
