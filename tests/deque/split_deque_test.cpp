// The split deque on one thread, where every result is known.
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <random>

#include <licit/deque/split.hpp>

#include <gtest/gtest.h>

#include "support/split_lockstep.hpp"

namespace {

using licit::deque_options;
using licit::split_deque;
using licit::split_word;
using licit_test::counting_memory;
using licit_test::narrow_word;
using licit_test::split_lockstep;
using licit_test::tagged_split;

using late = narrow_word<6, 10, (std::int64_t{1} << 48) - 3>;

template <class Policy>
class SplitDeque : public ::testing::Test {};

using policies = ::testing::Types<licit::native, licit::native_checked, narrow_word<0, 10>, narrow_word<1, 2>,
                                  narrow_word<6, 1>, late>;
TYPED_TEST_SUITE(SplitDeque, policies);

/// Phases lean towards pushes and then away from them, so that the deques are full, and empty, again and again.
template <class Pair>
void operate(Pair& pair, counting_memory& memory, std::uint64_t seed, int operations) {
  std::mt19937_64 random(seed);
  unsigned leaning = 50;
  for (int i = 0; i != operations; ++i) {
    if (random() % 64 == 0) leaning = static_cast<unsigned>(random() % 101);
    if (random() % 32 == 0) memory.failing = !memory.failing;
    const std::size_t which = random() % 8 == 0 ? 1 : 0;
    if (random() % 100 < leaning) {
      pair.push(which);
    } else if (random() % 2 == 0) {
      pair.pop(which);
    } else if (random() % 2 == 0) {
      pair.steal(which);
    } else {
      pair.steal_half(which, random() % 6);
    }
  }
  memory.failing = false;
}

TYPED_TEST(SplitDeque, AgreesWithTheReferenceOnRandomOperations) {
  for (const std::size_t capacity : {1, 2, 4, 256}) {
    for (const std::size_t maximum : {capacity, capacity * 4, deque_options::largest_capacity}) {
      for (std::uint64_t seed = 1; seed != 4; ++seed) {
        SCOPED_TRACE(testing::Message() << capacity << " to " << maximum << ", seed " << seed);
        counting_memory memory;
        {
          split_lockstep<tagged_split<TypeParam>> pair(
              {.initial_capacity = capacity, .maximum_capacity = maximum, .memory = &memory}, memory);
          ASSERT_NO_THROW(operate(pair, memory, seed, 3'000));
        }
        EXPECT_EQ(memory.live_bytes(), 0U);
        EXPECT_EQ(memory.wrong_returns(), 0U);
      }
    }
  }
}

// The comparison above can fail: a deque that loses what comes along is found.
TEST(SplitLockstep, FindsAFaultInADequeThatHasIt) {
  counting_memory memory;
  split_lockstep<licit_test::forgetful_split<licit::native>> pair({.memory = &memory}, memory);
  EXPECT_THROW(operate(pair, memory, 1, 4'000), licit_test::mismatch);
}

TYPED_TEST(SplitDeque, ARequestIsAnsweredByTheNextPush) {
  split_deque<int, TypeParam> deque;
  for (int i = 0; i != 7; ++i) deque.push(i);
  EXPECT_TRUE(deque.steal().is_lost()) << "all is private";
  EXPECT_TRUE(deque.steal().is_lost()) << "and stays so while the owner does nothing";
  deque.push(7);
  EXPECT_EQ(*deque.steal(), 0);
}

TYPED_TEST(SplitDeque, ARequestIsAnsweredByTheNextPop) {
  split_deque<int, TypeParam> deque;
  for (int i = 0; i != 3; ++i) deque.push(i);
  EXPECT_TRUE(deque.steal().is_lost());
  EXPECT_EQ(deque.pop(), 2);
  EXPECT_EQ(*deque.steal(), 0);
}

TYPED_TEST(SplitDeque, ARequestToAnEmptyDequeStandsUntilThereIsSomething) {
  split_deque<int, TypeParam> deque;
  EXPECT_TRUE(deque.steal().is_empty());
  EXPECT_EQ(deque.pop(), std::nullopt);
  deque.push(1);
  deque.push(2);
  EXPECT_EQ(deque.size(), 2U);
  EXPECT_EQ(*deque.steal(), 1);
  EXPECT_TRUE(deque.steal().is_lost()) << "the request was answered once: the second item is private";
}

TYPED_TEST(SplitDeque, TheOwnerTakesBackWhatNobodyTook) {
  split_deque<int, TypeParam> deque;
  for (int round = 0; round != 300; ++round) {  // more rounds than the tag has values
    (void)deque.steal();
    for (int i = 0; i != 5; ++i) deque.push(i);
    for (int i = 5; i != 0; --i) ASSERT_EQ(deque.pop(), i - 1) << "round " << round;
    ASSERT_EQ(deque.pop(), std::nullopt);
    ASSERT_EQ(deque.size(), 0U);
  }
}

TYPED_TEST(SplitDeque, GrowthKeepsEveryItemInOrder) {
  split_deque<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 1024, .memory = nullptr});
  for (int i = 0; i != 1000; ++i) {
    if (i % 100 == 50) (void)deque.steal();
    deque.push(i);
  }
  EXPECT_EQ(deque.capacity(), 1024U);
  int last = 1000;
  while (const auto got = deque.pop()) {
    ASSERT_LT(*got, last);
    last = *got;
  }
}

TYPED_TEST(SplitDeque, AFullDequeRefusesAPushAndKeepsItsItems) {
  split_deque<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 4, .memory = nullptr});
  for (int i = 0; i != 4; ++i) deque.push(i);
  EXPECT_TRUE(deque.steal().is_lost());
  for (int attempt = 0; attempt != 3; ++attempt) {
    try {
      deque.push(4);
      FAIL() << "a fifth item in a deque of at most four";
    } catch (const licit::capacity_error& error) {
      EXPECT_EQ(error.maximum_capacity(), 4U);
    }
    EXPECT_EQ(deque.size(), 4U);
  }
  for (int i = 4; i != 0; --i) EXPECT_EQ(deque.pop(), i - 1);
}

TYPED_TEST(SplitDeque, APushThatCannotGrowChangesNothingAndALaterOneSucceeds) {
  counting_memory memory;
  split_deque<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 1024, .memory = &memory});
  deque.push(0);
  deque.push(1);
  memory.failing = true;
  for (std::size_t attempt = 1; attempt != 4; ++attempt) {
    EXPECT_THROW(deque.push(2), std::bad_alloc);
    EXPECT_EQ(memory.refused(), attempt);
    EXPECT_EQ(deque.size(), 2U);
  }
  memory.failing = false;
  deque.push(2);
  EXPECT_EQ(deque.capacity(), 4U);
  for (int i = 3; i != 0; --i) EXPECT_EQ(deque.pop(), i - 1);
}

TYPED_TEST(SplitDeque, StealHalfTakesNoMoreThanTheThiefHasRoomFor) {
  split_deque<int, TypeParam> victim;
  split_deque<int, TypeParam> own({.initial_capacity = 2, .maximum_capacity = 2, .memory = nullptr});
  for (int i = 0; i != 9; ++i) victim.push(i);
  EXPECT_TRUE(victim.steal_half(own).is_lost());
  victim.push(9);
  const auto got = victim.steal_half(own);
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, 0);
  EXPECT_EQ(own.size(), got.moved());
  EXPECT_EQ(own.capacity(), 2U);
  while (own.size() != 2) own.push(-1);
  const auto more = victim.steal_half(own);
  EXPECT_FALSE(more && more.moved() != 0) << "the thief's own deque is full";
}

TYPED_TEST(SplitDeque, ATheftOfNoItemTakesNone) {
  split_deque<int, TypeParam> victim;
  split_deque<int, TypeParam> own({.initial_capacity = 2, .maximum_capacity = 2, .memory = nullptr});
  for (int i = 0; i != 9; ++i) victim.push(i);
  EXPECT_TRUE(victim.steal_half(own, 0).is_empty());
  victim.push(9);
  EXPECT_TRUE(victim.steal_half(own).is_lost()) << "the theft of none asked the owner for items";
  victim.push(10);
  own.push(-1);
  const std::size_t there = victim.size();
  EXPECT_TRUE(victim.steal_half(own, 0).is_empty()) << "public items are there";
  EXPECT_EQ(victim.size(), there);
  EXPECT_EQ(own.pop(), -1);
  EXPECT_FALSE(own.pop());
}

TEST(SplitDequeOptions, AreValidatedBeforeAnythingIsAllocated) {
  counting_memory memory;
  EXPECT_THROW(split_deque<int>({.initial_capacity = 3, .memory = &memory}), std::invalid_argument);
  EXPECT_EQ(memory.live_blocks(), 0U);
}

TEST(SplitWord, EveryChangeMakesItLarger) {
  using word = split_word<licit::native>;
  const word w = word::of(5, 3, 8);
  EXPECT_EQ(w.top(), 5);
  EXPECT_EQ(w.tag(), 3U);
  EXPECT_EQ(w.count(), 8U);
  EXPECT_GT(w.claimed(8).value(), w.value());
  EXPECT_GT(w.reclaimed(8).value(), w.value());
  EXPECT_GT(w.value() + 1, w.value());
  EXPECT_EQ(w.claimed(3).top(), 8);
  EXPECT_EQ(w.claimed(3).tag(), 0U);
  EXPECT_EQ(w.claimed(3).count(), 5U);
}

TEST(SplitWord, CountsItemsAcrossTheWrapOfTop) {
  using word = split_word<licit::native>;
  const licit::detail::index end = licit::detail::index{1} << word::top_bits;
  EXPECT_EQ(word::of(end - 1, 0, 1).claimed(1).top(), 0);
  EXPECT_EQ(word::of(end - 1, 0, 0).below(end + 2), 3);
  EXPECT_EQ(word::of(0, 0, 0).below(end + 2), 2);
  EXPECT_EQ(word::of(2, 0, 0).below(end + 1), -1);
}

TEST(SplitDequeLayout, ThievesAndOwnerWriteOnDifferentCacheLines) {
  EXPECT_EQ(alignof(split_deque<int>), 128U);
  EXPECT_EQ(sizeof(split_deque<int>), 256U) << "one pair of lines for the word, one for the owner";
}

}  // namespace
