// Owners and thieves that take half of what the others have, at once: every item once, and whole.
#include <cstddef>
#include <string>
#include <vector>

#include <licit/deque/asymmetric.hpp>

#include <gtest/gtest.h>

#include "support/half_lockstep.hpp"
#include "support/half_shift.hpp"

namespace {

using licit_test::half_options;
using licit_test::half_shift;
using licit_test::number;
using licit_test::real_half;
using licit_test::scale;
using no_complaints = std::vector<std::string>;

TEST(StealHalfStress, ThievesTakeFromTheOwnerAndFromEachOther) {
  number moved = 0;
  for (const std::size_t thieves : {1, 2, 3}) {
    number here = 0;
    EXPECT_EQ(half_shift({.pushes = 15'000 * scale}, thieves, real_half, &here), no_complaints{});
    moved += here;
  }
  EXPECT_GT(moved, 0U) << "nothing ever came along";
}

TEST(StealHalfStress, GrowthFromOneSlotOnBothSides) {
  const half_options how{
      .first = {.initial_capacity = 1}, .own = {.initial_capacity = 1}, .pushes = 10'000 * scale, .burst = 200};
  for (const std::size_t thieves : {1, 2, 3}) EXPECT_EQ(half_shift(how, thieves, real_half), no_complaints{});
}

TEST(StealHalfStress, TinyRingsThatMayNotGrow) {
  for (const std::size_t capacity : {1, 2, 4}) {
    const licit::deque_options full{.initial_capacity = capacity, .maximum_capacity = capacity};
    const half_options how{.first = full, .own = full, .pushes = 500 * scale, .burst = capacity};
    EXPECT_EQ(half_shift(how, 2, real_half), no_complaints{});
  }
}

TEST(StealHalfStress, RoomForFewerThanHalf) {
  const half_options how{.own = {.initial_capacity = 2, .maximum_capacity = 2}, .pushes = 10'000 * scale, .burst = 500};
  EXPECT_EQ(half_shift(how, 2, real_half), no_complaints{});
}

TEST(StealHalfStress, ShortLives) {
  for (number life = 0; life != 60 * scale; ++life) {
    const half_options how{.first = {.initial_capacity = 1}, .own = {.initial_capacity = 1}, .pushes = 60, .burst = 20};
    ASSERT_EQ(half_shift(how, 2, real_half), no_complaints{}) << "life " << life;
  }
}

TEST(StealHalfStress, UnderAsymmetricFences) {
  using owner = licit::owner<licit_test::parcel*, licit::asymmetric<licit::native_checked>>;
  const half_options how{.own = {.initial_capacity = 1}, .pushes = 2'000 * scale};
  EXPECT_EQ(half_shift<owner>(how, 2, real_half), no_complaints{});
}

// The books can show a fault: one is planted.

/// Drops what came along last.
constexpr auto drops = [](const auto& victim, auto& own, std::size_t most) {
  auto got = victim.steal_half(own, most);
  if (got && got.moved() != 0) (void)own.pop();
  return got;
};

/// Leaves the item that it hands back in its own deque as well.
constexpr auto repeats = [](const auto& victim, auto& own, std::size_t most) {
  auto got = victim.steal_half(own, most);
  if (got) own.push(*got);
  return got;
};

template <class Half>
bool any_says(Half half, const std::string& words) {
  for (int attempt = 0; attempt != 20; ++attempt) {  // a thief must get to it before the owner has popped all
    for (const std::string& complaint : half_shift({.pushes = 4'000, .burst = 1000}, 1, half)) {
      if (complaint.find(words) != complaint.npos) return true;
    }
  }
  return false;
}

TEST(StealHalfStressPlanted, DroppedItemsAreReported) { EXPECT_TRUE(any_says(drops, "were taken by nobody")); }

TEST(StealHalfStressPlanted, RepeatedItemsAreReportedAndTheirContentsWereSpent) {
  EXPECT_TRUE(any_says(repeats, "were taken more than once"));
  EXPECT_TRUE(any_says(repeats, "were damaged"));
}

}  // namespace
