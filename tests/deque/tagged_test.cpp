// The tagged deque on one thread, where every result is known; its rules, as arithmetic.
#include "licit/deque/tagged.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/asymmetric.hpp>

#include <gtest/gtest.h>

#include "support/half_lockstep.hpp"
#include "support/lockstep.hpp"
#include "support/memory.hpp"
#include "support/tagged_rules.hpp"

namespace {

using licit::deque_options;
using licit::tagged_deque;
using licit::tagged_rules;
using licit::tagged_word;
using licit::detail::index;
using licit_test::counted;
using licit_test::counting_memory;
using licit_test::lockstep;
using licit_test::number;
using licit_test::short_tags;

template <class Policy>
class Tagged : public ::testing::Test {};

struct policy_names {
  template <class Policy>
  static std::string GetName(int /*index*/) {
    if (std::is_same_v<Policy, licit::native>) return "native";
    if (std::is_same_v<Policy, licit::native_checked>) return "native_checked";
    return Policy::asymmetric ? "asymmetric" : "short_tags";
  }
};

using policies =
    ::testing::Types<licit::native, licit::native_checked, short_tags<>, licit::asymmetric<licit::native_checked>>;
TYPED_TEST_SUITE(Tagged, policies, policy_names);

// The rules.

TEST(TaggedRules, AFreeItemIsBeyondWhatAnyThiefTakes) {
  for (index high = 1; high != 200; ++high) {
    for (index t = 0; t <= high; ++t) {
      for (index b = 0; b != high; ++b) {
        // Thieves look from t on, at a bottom up to `high`.
        const index reach = t + tagged_rules::share(high - t);
        ASSERT_EQ(b >= tagged_rules::first_free(t, high), reach <= b && t <= b && high != t)
            << t << " " << b << " " << high;
      }
    }
  }
}

TEST(TaggedRules, AllPopsOfADequeNeedALogarithmOfChanges) {
  for (const index depth : {1, 2, 10, 1024, 1'000'000}) {
    index high = depth;
    int changes = 0;
    for (index b = depth - 1; b > 0; --b) {
      if (b >= tagged_rules::first_free(0, high)) continue;
      ++changes;
      high = b;
    }
    EXPECT_LE(changes, std::bit_width(static_cast<std::uint64_t>(depth))) << depth;
  }
}

TEST(TaggedWord, OnlyGrowsAndKeepsIndexAndTagApart) {
  using word = tagged_word<8>;
  EXPECT_EQ(word::last, (index{1} << 56) - 1);
  EXPECT_EQ(word::index_of(word::of(word::last)), word::last);
  EXPECT_EQ(word::of(word::last), ~std::uint64_t{0} - 255);
  std::uint64_t w = word::of(5);
  for (int raises = 0; raises != 255; ++raises) {
    EXPECT_FALSE(word::exhausted(w));
    EXPECT_EQ(word::index_of(w), 5);
    w += word::tag;
  }
  EXPECT_TRUE(word::exhausted(w));
  EXPECT_EQ(word::index_of(w), 5);
  EXPECT_LT(w, word::of(6));
  EXPECT_TRUE(tagged_word<1>::exhausted(tagged_word<1>::of(3) + tagged_word<1>::tag));
}

// The operations.

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
    } else if (random() % 4 != 0) {
      pair.pop();
    } else {
      pair.steal();
    }
  }
  memory.failing = false;
}

TYPED_TEST(Tagged, AgreesWithADequeOnRandomOperations) {
  for (const std::size_t capacity : {1, 2, 4, 256}) {
    for (const std::size_t maximum : {capacity, capacity * 4, deque_options::largest_capacity}) {
      for (std::uint64_t seed = 1; seed != 4; ++seed) {
        SCOPED_TRACE(testing::Message() << capacity << " to " << maximum << ", seed " << seed);
        counting_memory memory;
        const deque_options options{.initial_capacity = capacity, .maximum_capacity = maximum, .memory = &memory};
        using owner = licit::owner<number, TypeParam, tagged_deque>;
        {
          lockstep<number, owner> pair(owner(options), options, memory);
          ASSERT_NO_THROW(operate(pair, memory, seed, 3'000));
        }
        EXPECT_EQ(memory.live_bytes(), 0U);
        EXPECT_EQ(memory.wrong_returns(), 0U);
      }
    }
  }
}

std::vector<std::uint8_t> random_program(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(60);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TYPED_TEST(Tagged, HalvesAgreeWithTheReference) {
  using numbers = licit::owner<number, TypeParam, tagged_deque>;
  using owned = licit::owner<std::unique_ptr<counted>, TypeParam, tagged_deque>;
  for (unsigned seed = 0; seed != 300; ++seed) {
    const auto program = random_program(seed);
    ASSERT_NO_THROW((licit_test::run_halves<number, numbers>(program, licit_test::real_half))) << "seed " << seed;
    ASSERT_NO_THROW((licit_test::run_halves<std::unique_ptr<counted>, owned>(program, licit_test::real_half)))
        << "seed " << seed;
  }
}

TEST(TaggedPlanted, AThiefThatTakesMoreThanHalfIsFound) {
  using owner = licit::owner<number, licit_test::greedy, tagged_deque>;
  unsigned found = 0;
  for (unsigned seed = 0; seed != 20; ++seed) {
    try {
      licit_test::run_halves<number, owner>(random_program(seed), licit_test::real_half);
    } catch (const licit_test::mismatch&) {
      ++found;
    }
  }
  EXPECT_GT(found, 0U);
}

TYPED_TEST(Tagged, TakesTheOlderHalfRoundedUpInOneClaim) {
  for (int items = 1; items != 80; ++items) {
    for (const std::size_t most :
         {std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{32}, std::numeric_limits<std::size_t>::max()}) {
      tagged_deque<int, TypeParam> victim;
      tagged_deque<int, TypeParam> own({.initial_capacity = 1});
      for (int i = 0; i != items; ++i) victim.push(i);
      const auto got = victim.steal_half(own, most);
      const std::size_t share = std::min(static_cast<std::size_t>(items + 1) / 2, most);
      ASSERT_TRUE(got);
      EXPECT_EQ(*got, 0);
      ASSERT_EQ(got.moved(), share - 1);
      for (int i = static_cast<int>(share) - 1; i != 0; --i) ASSERT_EQ(own.pop(), i);
      ASSERT_EQ(own.pop(), std::nullopt);
      for (int i = items - 1; i >= static_cast<int>(share); --i) ASSERT_EQ(victim.pop(), i);
      ASSERT_EQ(victim.pop(), std::nullopt);
    }
  }
}

TYPED_TEST(Tagged, ATheftOfNoItemTakesNone) {
  tagged_deque<int, TypeParam> victim;
  tagged_deque<int, TypeParam> own({.initial_capacity = 2, .maximum_capacity = 2});
  EXPECT_TRUE(victim.steal_half(own, 0).is_empty());
  for (int i = 0; i != 9; ++i) victim.push(i);
  own.push(-1);
  EXPECT_TRUE(victim.steal_half(own, 0).is_empty()) << "items are there";
  EXPECT_EQ(victim.size(), 9U);
  EXPECT_EQ(*victim.steal(), 0);
  EXPECT_EQ(own.pop(), -1);
  EXPECT_EQ(own.pop(), std::nullopt);
}

TYPED_TEST(Tagged, ADequeWithoutRoomTakesOneItemAndOneThatCannotGrowTakesWhatFits) {
  counting_memory memory;
  tagged_deque<int, TypeParam> victim;
  tagged_deque<int, TypeParam> full({.initial_capacity = 2, .maximum_capacity = 2});
  tagged_deque<int, TypeParam> poor({.initial_capacity = 4, .memory = &memory});
  for (int i = 0; i != 100; ++i) victim.push(i);
  full.push(-1);
  full.push(-2);
  auto got = victim.steal_half(full);
  EXPECT_EQ(*got, 0);
  EXPECT_EQ(got.moved(), 0U);
  EXPECT_EQ(full.size(), 2U);
  memory.failing = true;
  poor.push(-3);
  got = victim.steal_half(poor);
  EXPECT_EQ(*got, 1);
  EXPECT_EQ(got.moved(), 3U);
  EXPECT_EQ(memory.refused(), 1U);
  EXPECT_EQ(victim.size(), 95U);
  memory.failing = false;
  got = victim.steal_half(poor);
  EXPECT_EQ(*got, 5);
  EXPECT_EQ(got.moved(), 31U);
  EXPECT_EQ(poor.capacity(), 64U);
  for (const int expected : {36, 35, 34}) EXPECT_EQ(poor.pop(), expected);
}

TYPED_TEST(Tagged, APushThatCannotGrowChangesNothingAndALaterOneSucceeds) {
  counting_memory memory;
  tagged_deque<int, TypeParam> deque({.initial_capacity = 2, .maximum_capacity = 4, .memory = &memory});
  deque.push(0);
  deque.push(1);
  memory.failing = true;
  EXPECT_THROW(deque.push(2), std::bad_alloc);
  EXPECT_EQ(deque.size(), 2U);
  memory.failing = false;
  deque.push(2);
  deque.push(3);
  EXPECT_THROW(deque.push(4), licit::capacity_error);
  EXPECT_EQ(deque.size(), 4U);
  EXPECT_EQ(*deque.steal(), 0);
  EXPECT_NO_THROW(deque.push(4));
  for (int i = 4; i != 0; --i) EXPECT_EQ(deque.pop(), i);
  EXPECT_EQ(deque.pop(), std::nullopt);
}

/// Counts renewals, by the invariant that each checks.
template <class Policy>
struct counting_renewals : Policy {
  static inline int renewals = 0;
  static void invariant(int which, bool holds) {
    renewals += which == 43 ? 1 : 0;
    Policy::invariant(which, holds);
  }
};

/// Without a thief the tags come to their end, and items move to new indices: again and again, at every depth and at
/// every place of the ring.
template <class Policy>
int renewals(std::size_t capacity) {
  using counting = counting_renewals<Policy>;
  counting::renewals = 0;
  std::mt19937 random(5);
  tagged_deque<int, counting> deque({.initial_capacity = capacity, .maximum_capacity = capacity});
  std::vector<int> mine;
  for (int i = 0; i != 50'000; ++i) {
    while (mine.size() != capacity && random() % 8 != 0) {
      deque.push(i);
      mine.push_back(i);
    }
    for (std::size_t pops = random() % (capacity + 1); pops != 0 && mine.size() > 1; --pops) {
      EXPECT_EQ(deque.pop(), mine.back());
      mine.pop_back();
    }
    if (deque.size() != mine.size()) return -1;
  }
  for (const int expected : mine) EXPECT_EQ(*deque.steal(), expected);
  return counting::renewals;
}

TEST(TaggedRenewal, KeepsEveryItemInItsPlace) {
  for (const std::size_t capacity : {4, 8, 64}) {
    EXPECT_GT(renewals<short_tags<>>(capacity), 1000);
    EXPECT_GT(renewals<licit::native_checked>(capacity), 10);
  }
}

TEST(TaggedEnd, RefusesAPushWhenItsIndicesAreUsedUpAndKeepsItsItems) {
  tagged_deque<int, licit_test::last_indices<3>> deque({.initial_capacity = 2});
  for (int i = 0; i != 3; ++i) deque.push(i);
  for (int attempt = 0; attempt != 2; ++attempt) {
    try {
      deque.push(3);
      FAIL() << "there was no index for it";
    } catch (const licit::index_error& error) {
      EXPECT_STREQ(error.what(), "licit: push on a deque that has used up its 72057594037927935 indices: make another");
    }
    EXPECT_EQ(deque.size(), 3U);
  }
  EXPECT_EQ(*deque.steal(), 0);
  EXPECT_EQ(deque.pop(), 2);
  deque.push(5);
  EXPECT_THROW(deque.push(6), licit::index_error);
  EXPECT_EQ(deque.pop(), 5);
  EXPECT_EQ(deque.pop(), 1);
  EXPECT_EQ(deque.pop(), std::nullopt);
  deque.push(7);
  EXPECT_EQ(*deque.steal(), 7);
  EXPECT_THROW(deque.push(8), licit::index_error) << "the last index is used up";
  EXPECT_TRUE(deque.steal().is_empty());
}

TEST(TaggedEnd, AThiefWithoutIndicesTakesFewer) {
  using deque = tagged_deque<int, licit_test::last_indices<3>>;
  deque victim({.initial_capacity = 8});
  deque own({.initial_capacity = 8});
  for (int i = 0; i != 3; ++i) victim.push(i);
  for (int i = 0; i != 3; ++i) own.push(10 + i);
  const auto got = victim.steal_half(own);
  EXPECT_EQ(*got, 0);
  EXPECT_EQ(got.moved(), 0U);
  EXPECT_EQ(own.size(), 3U);
  EXPECT_EQ(victim.size(), 2U);
}

TEST(TaggedLayout, ThievesAndOwnerWriteOnDifferentCacheLines) {
  EXPECT_EQ(alignof(tagged_deque<int>), 128U);
  EXPECT_EQ(sizeof(tagged_deque<int>), 256U) << "one pair of lines for the thieves, one for the owner";
}

}  // namespace
