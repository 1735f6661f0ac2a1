// The algorithm on one thread, where every result is known.
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <random>
#include <string>

#include <licit/deque.hpp>

#include <gtest/gtest.h>

#include "support/faulty.hpp"
#include "support/lockstep.hpp"

namespace {

using licit::chase_lev;
using licit::deque_options;
using licit_test::counting_memory;
using licit_test::lockstep;

template <class Policy>
class ChaseLev : public ::testing::Test {};

struct policy_names {
  template <class Policy>
  static std::string GetName(int /*index*/) {
    return std::is_same_v<Policy, licit::native> ? "native" : "native_checked";
  }
};

using policies = ::testing::Types<licit::native, licit::native_checked>;
TYPED_TEST_SUITE(ChaseLev, policies, policy_names);

/// Phases lean towards pushes and then away from them, so that the deque is full, and empty, again and again.
template <class T, class Owner>
void operate(lockstep<T, Owner>& pair, counting_memory& memory, std::uint64_t seed, int operations) {
  std::mt19937_64 random(seed);
  unsigned leaning = 50;
  for (int i = 0; i != operations; ++i) {
    if (random() % 64 == 0) leaning = static_cast<unsigned>(random() % 101);
    if (random() % 32 == 0) memory.failing = !memory.failing;
    if (random() % 100 < leaning) {
      pair.push();
    } else if (random() % 2 == 0) {
      pair.pop();
    } else {
      pair.steal();
    }
  }
  memory.failing = false;
}

TYPED_TEST(ChaseLev, AgreesWithADequeOnRandomOperations) {
  for (const std::size_t capacity : {1, 2, 4, 256}) {
    for (const std::size_t maximum : {capacity, capacity * 4, deque_options::largest_capacity}) {
      for (std::uint64_t seed = 1; seed != 4; ++seed) {
        SCOPED_TRACE(testing::Message() << capacity << " to " << maximum << ", seed " << seed);
        counting_memory memory;
        const deque_options options{.initial_capacity = capacity, .maximum_capacity = maximum, .memory = &memory};
        using owner = licit::owner<std::uint64_t, TypeParam>;
        {
          lockstep<std::uint64_t, owner> pair(owner(options), options, memory);
          ASSERT_NO_THROW(operate(pair, memory, seed, 3'000));
          if (maximum > capacity) {
            EXPECT_GT(pair.capacity(), capacity) << "this sequence was to make it grow";
          }
        }
        EXPECT_EQ(memory.live_bytes(), 0U);
        EXPECT_EQ(memory.wrong_returns(), 0U);
      }
    }
  }
}

// The comparison above can fail: it finds each fault in a deque that has it, and none in the same deque without.
TEST(Lockstep, FindsAFaultInADequeThatHasIt) {
  using licit_test::fault;
  using faulty = licit_test::faulty_owner<std::uint64_t>;
  for (const fault f : {fault::drops, fault::repeats, fault::steals_youngest, fault::pops_oldest}) {
    counting_memory memory;
    lockstep<std::uint64_t, faulty> pair(faulty(f), {}, memory);
    EXPECT_THROW(operate(pair, memory, 1, 4'000), licit_test::mismatch) << "fault " << static_cast<int>(f);
  }
  counting_memory memory;
  const deque_options options{.initial_capacity = 2, .maximum_capacity = 64, .memory = &memory};
  lockstep<std::uint64_t, faulty> control(faulty(fault::none, options), options, memory);
  EXPECT_NO_THROW(operate(control, memory, 1, 4'000));
  EXPECT_GT(memory.refused(), 0U) << "some growth was to fail";
}

TYPED_TEST(ChaseLev, GrowthKeepsEveryItemInOrder) {
  for (const std::size_t offset : {0, 1, 3, 7}) {  // where in the ring the oldest item is when it first grows
    chase_lev<int, TypeParam> deque({.initial_capacity = 8, .maximum_capacity = 1024, .memory = nullptr});
    for (std::size_t i = 0; i != offset; ++i) {
      deque.push(-1);
      ASSERT_EQ(*deque.steal(), -1);
    }
    for (int i = 0; i != 1000; ++i) deque.push(i);
    EXPECT_EQ(deque.capacity(), 1024U);
    for (int i = 0; i != 500; ++i) ASSERT_EQ(*deque.steal(), i);
    for (int i = 999; i != 499; --i) ASSERT_EQ(deque.pop(), i);
    EXPECT_EQ(deque.pop(), std::nullopt);
  }
}

TYPED_TEST(ChaseLev, WrapsAroundWithoutGrowing) {
  chase_lev<int, TypeParam> deque({.initial_capacity = 4, .maximum_capacity = 4, .memory = nullptr});
  for (int i = 0; i != 3; ++i) deque.push(i);
  for (int i = 3; i != 1000; ++i) {
    deque.push(i);
    ASSERT_EQ(*deque.steal(), i - 3);
    ASSERT_EQ(deque.size(), 3U);
  }
  EXPECT_EQ(deque.capacity(), 4U);
}

TYPED_TEST(ChaseLev, HasNothingToTakeWhenEmptyHoweverOftenItIsAsked) {
  chase_lev<int, TypeParam> deque({.initial_capacity = 1, .maximum_capacity = 1, .memory = nullptr});
  for (int round = 0; round != 3; ++round) {
    for (int i = 0; i != 5; ++i) {
      EXPECT_EQ(deque.pop(), std::nullopt);
      EXPECT_TRUE(deque.steal().is_empty());
      EXPECT_EQ(deque.size(), 0U);
    }
    deque.push(round);
    EXPECT_EQ(deque.size(), 1U);
    EXPECT_EQ(deque.pop(), round);
  }
}

TYPED_TEST(ChaseLev, PopFindsNothingAfterThievesTookEverything) {
  chase_lev<int, TypeParam> deque({.initial_capacity = 4, .maximum_capacity = 4, .memory = nullptr});
  for (int i = 0; i != 4; ++i) deque.push(i);
  for (int i = 0; i != 4; ++i) EXPECT_EQ(*deque.steal(), i);
  EXPECT_EQ(deque.pop(), std::nullopt);
  EXPECT_EQ(deque.pop(), std::nullopt);
  for (int i = 0; i != 4; ++i) EXPECT_NO_THROW(deque.push(10 + i)) << "all four slots are free again";
  EXPECT_THROW(deque.push(14), licit::capacity_error);
  EXPECT_EQ(deque.pop(), 13);
  EXPECT_EQ(*deque.steal(), 10);
}

TYPED_TEST(ChaseLev, AFullDequeRefusesAPushAndKeepsItsItems) {
  chase_lev<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 4, .memory = nullptr});
  for (int i = 0; i != 4; ++i) deque.push(i);
  for (int attempt = 0; attempt != 3; ++attempt) {
    try {
      deque.push(4);
      FAIL() << "a fifth item in a deque of at most four";
    } catch (const licit::capacity_error& error) {
      EXPECT_STREQ(error.what(), "licit: push on a full deque: it holds 4 items, which is its maximum_capacity");
      EXPECT_EQ(error.maximum_capacity(), 4U);
    }
    EXPECT_EQ(deque.size(), 4U);
  }
  EXPECT_EQ(*deque.steal(), 0);
  EXPECT_NO_THROW(deque.push(4));
  for (int i = 4; i != 0; --i) EXPECT_EQ(deque.pop(), i);
}

TYPED_TEST(ChaseLev, APushThatCannotGrowChangesNothingAndALaterOneSucceeds) {
  counting_memory memory;
  chase_lev<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 1024, .memory = &memory});
  deque.push(0);
  deque.push(1);
  memory.failing = true;
  for (std::size_t attempt = 1; attempt != 4; ++attempt) {
    EXPECT_THROW(deque.push(2), std::bad_alloc);
    EXPECT_EQ(memory.refused(), attempt);
    EXPECT_EQ(deque.size(), 2U);
    EXPECT_EQ(deque.capacity(), 2U);
  }
  EXPECT_EQ(deque.pop(), 1);
  EXPECT_NO_THROW(deque.push(1)) << "there is room: this push needs no memory";
  memory.failing = false;
  deque.push(2);
  EXPECT_EQ(deque.capacity(), 4U);
  for (int i = 0; i != 3; ++i) EXPECT_EQ(*deque.steal(), i);
}

TYPED_TEST(ChaseLev, RetiredRingsHaveFewerSlotsThanTheNewest) {
  counting_memory memory;
  {
    chase_lev<std::uint64_t, TypeParam> deque({.initial_capacity = 1, .memory = &memory});
    const std::size_t header = memory.live_bytes() - sizeof(std::uint64_t);
    for (std::uint64_t i = 0; i != 10'000; ++i) {
      deque.push(i);
      const std::size_t slots = (memory.live_bytes() - memory.live_blocks() * header) / sizeof(std::uint64_t);
      ASSERT_EQ((memory.largest() - header) / sizeof(std::uint64_t), deque.capacity());
      ASSERT_LT(slots, 2 * deque.capacity());
    }
    EXPECT_EQ(deque.capacity(), 16'384U);
    EXPECT_EQ(memory.live_blocks(), 15U) << "the rings of 1, 2, 4, ... 16384 slots";
  }
  EXPECT_EQ(memory.live_blocks(), 0U);
  EXPECT_EQ(memory.live_bytes(), 0U);
  EXPECT_EQ(memory.wrong_returns(), 0U);
}

TEST(ChaseLevLayout, ThievesAndOwnerWriteOnDifferentCacheLines) {
  EXPECT_EQ(alignof(chase_lev<int>), 128U);
  EXPECT_EQ(sizeof(chase_lev<int>), 256U) << "one pair of lines for the thieves, one for the owner";
}

}  // namespace
