// The same handles over every structure: what they offer, and that nothing is lost between them.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include <gtest/gtest.h>

#include "support/memory.hpp"

namespace {

using licit::native;
using licit::native_checked;

/// Keeps what a bounded queue hands over.
template <class Value>
struct keeper {
  void reserve(std::size_t n) {
    if (refuses) throw std::bad_alloc();
    kept.reserve(kept.size() + n);
  }
  void take(std::span<const Value> items) noexcept { kept.insert(kept.end(), items.begin(), items.end()); }

  std::vector<Value> kept{};
  bool refuses = false;
};

template <class Owner>
void fill(Owner& mine, int from, int to) {
  for (int i = from; i != to; ++i) {
    if constexpr (requires { mine.try_push(i); }) {
      ASSERT_TRUE(mine.try_push(i));
    } else {
      mine.push(i);
    }
  }
}

template <class Owner>
class Handles : public testing::Test {};

using structures =
    testing::Types<licit::owner<int, native_checked>, licit::owner<int, licit::asymmetric<native_checked>>,
                   licit::owner<int, native_checked, licit::tagged_deque>,
                   licit::owner<int, licit::asymmetric<native_checked>, licit::tagged_deque>,
                   licit::owner<int, native_checked, licit::run_queue>,
                   licit::owner<int, native_checked, licit::split_deque>>;
TYPED_TEST_SUITE(Handles, structures);

/// A split deque's items are private until its owner's next operation answers a request.
template <class Owner>
void publish(Owner& mine) {
  (void)mine.stealer().steal();
  if (auto item = mine.pop()) fill(mine, *item, *item + 1);
}

TYPED_TEST(Handles, HalfIsHandedOverInOrderAndTheRestStays) {
  TypeParam victim;
  TypeParam mine;
  fill(victim, 0, 10);
  if constexpr (std::is_same_v<TypeParam, licit::owner<int, native_checked, licit::split_deque>>) {
    publish(victim);
  }
  std::vector<int> seen;
  const auto thief = victim.stealer();
  const auto got = thief.steal_half(mine);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, 0);
  EXPECT_GT(got.moved(), 0U);
  EXPECT_LE(got.moved(), 4U);
  EXPECT_EQ(mine.size(), got.moved());
  EXPECT_EQ(victim.size(), 9 - got.moved());
  seen.push_back(*got);
  while (const auto item = mine.pop()) seen.push_back(*item);
  while (const auto item = victim.pop()) seen.push_back(*item);
  std::sort(seen.begin(), seen.end());
  std::vector<int> all(10);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
  EXPECT_TRUE(thief.steal_half(mine).is_empty());
}

TYPED_TEST(Handles, AThiefTakesNoMoreThanItAsksFor) {
  TypeParam victim;
  TypeParam mine;
  fill(victim, 0, 8);
  if constexpr (std::is_same_v<TypeParam, licit::owner<int, native_checked, licit::split_deque>>) {
    publish(victim);
  }
  const auto got = victim.stealer().steal_half(mine, 1);
  ASSERT_TRUE(got);
  EXPECT_EQ(got.moved(), 0U);
  EXPECT_TRUE(mine.empty());
}

#if !defined(NDEBUG)
template <class Owner>
class HandlesDeathTest : public testing::Test {};
TYPED_TEST_SUITE(HandlesDeathTest, structures);

TYPED_TEST(HandlesDeathTest, AnOwnerDoesNotStealHalfFromItself) {
  TypeParam mine;
  EXPECT_DEATH((void)mine.stealer().steal_half(mine), "shared_ != own.shared_");
}
#endif

TEST(Handles, OfABoundedQueueRefuseOrOverflow) {
  licit::owner<int, native_checked, licit::run_queue> mine({.capacity = 4});
  EXPECT_EQ(mine.capacity(), 4U);
  fill(mine, 0, 4);
  EXPECT_FALSE(mine.try_push(4));
  keeper<int> sink;
  sink.refuses = true;
  EXPECT_THROW(mine.push(4, sink), std::bad_alloc);
  EXPECT_EQ(mine.size(), 4U);
  sink.refuses = false;
  mine.push(4, sink);
  EXPECT_EQ(sink.kept, (std::vector<int>{0, 1, 4}));
  EXPECT_EQ(mine.pop(), std::optional(2));
}

TEST(Handles, OfABoundedQueueKeepTheItemThatItRefuses) {
  licit::owner<std::unique_ptr<int>, native_checked, licit::run_queue> mine({.capacity = 2});
  EXPECT_TRUE(mine.try_push(std::make_unique<int>(1)));
  EXPECT_TRUE(mine.try_push(std::make_unique<int>(2)));
  auto third = std::make_unique<int>(3);
  EXPECT_FALSE(mine.try_push(std::move(third)));
  ASSERT_NE(third, nullptr);  // NOLINT(bugprone-use-after-move): a refused item is as it was
  keeper<int*> sink;
  mine.push(std::move(third), sink);
  ASSERT_EQ(sink.kept.size(), 2U);
  EXPECT_EQ(*sink.kept[0], 1);
  EXPECT_EQ(*sink.kept[1], 3);
  for (int* item : sink.kept) delete item;
}

TEST(Handles, SayWhichOptionIsOutOfRange) {
  try {
    const licit::owner<int, native, licit::run_queue> mine({.capacity = 3});
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("capacity is 3"), std::string::npos) << e.what();
  }
}

template <class Owner>
concept pushes = requires(Owner& o) { o.push(1); };
template <class Owner>
concept tries = requires(Owner& o) { o.try_push(1); };
static_assert(pushes<licit::owner<int>> && !tries<licit::owner<int>>);
using bounded = licit::owner<int, native, licit::run_queue>;
static_assert(tries<bounded> && !pushes<bounded>, "a push that may not fit says where it goes then");

using licit::deque_options;

std::string refusal(const deque_options& options) {
  try {
    const licit::owner<int> made(options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

deque_options capacities(std::size_t initial, std::size_t maximum) {
  return {.initial_capacity = initial, .maximum_capacity = maximum, .memory = nullptr};
}

constexpr std::size_t largest = std::size_t{1} << 40;

TEST(Options, DefaultsAreAccepted) {
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_EQ(deque_options{}.initial_capacity, 256U);
  EXPECT_EQ(deque_options{}.maximum_capacity, largest);
  EXPECT_EQ(licit::owner<int>().capacity(), 256U);
}

TEST(Options, TheEndsOfTheRangesAreAccepted) {
  EXPECT_EQ(refusal(capacities(1, 1)), "accepted");
  EXPECT_EQ(refusal(capacities(1, largest)), "accepted");
  EXPECT_EQ(refusal(capacities(64, 64)), "accepted");
  EXPECT_NO_THROW(capacities(largest, largest).validate());
}

TEST(Options, ARefusalNamesTheOptionItsValueAndItsRange) {
  EXPECT_EQ(refusal(capacities(0, 8)),
            "licit: initial_capacity is 0, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(6, 8)),
            "licit: initial_capacity is 6, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(largest * 2, largest * 2)),
            "licit: initial_capacity is 2199023255552, and must be a power of two from 1 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 0)),
            "licit: maximum_capacity is 0, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 4)),
            "licit: maximum_capacity is 4, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, 12)),
            "licit: maximum_capacity is 12, and must be a power of two from 8 to 1099511627776");
  EXPECT_EQ(refusal(capacities(8, largest * 2)),
            "licit: maximum_capacity is 2199023255552, and must be a power of two from 8 to 1099511627776");
}

TEST(Options, ARefusedDequeTookNoMemory) {
  licit_test::counting_memory memory;
  EXPECT_THROW(licit::owner<int>({.initial_capacity = 3, .maximum_capacity = 8, .memory = &memory}),
               std::invalid_argument);
  EXPECT_EQ(memory.largest(), 0U);
}

TEST(Options, RingsComeFromTheGivenMemory) {
  licit_test::counting_memory memory;
  {
    const licit::owner<int> made({.initial_capacity = 8, .maximum_capacity = 8, .memory = &memory});
    EXPECT_EQ(memory.live_blocks(), 1U);
    EXPECT_GE(memory.live_bytes(), 8 * sizeof(int));
  }
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

TEST(Options, ADequeWhoseFirstRingCannotBeMadeIsNotMade) {
  licit_test::counting_memory memory;
  memory.failing = true;
  EXPECT_THROW(licit::owner<int>({.initial_capacity = 8, .maximum_capacity = 8, .memory = &memory}), std::bad_alloc);
  EXPECT_EQ(memory.refused(), 1U);
}

TEST(Options, ACapacityErrorSaysHowManyItemsThereAre) {
  const licit::capacity_error error(64);
  EXPECT_STREQ(error.what(), "licit: push on a full deque: it holds 64 items, which is its maximum_capacity");
  EXPECT_EQ(error.maximum_capacity(), 64U);
}

}  // namespace
