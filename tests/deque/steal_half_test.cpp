// Steal-half on one thread: how many, which, where they go, and what there is when there is no room for them.
#include "licit/deque/steal_half.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/deque.hpp>
#include <licit/deque/asymmetric.hpp>

#include <gtest/gtest.h>

#include "support/half_lockstep.hpp"

namespace {

using licit::chase_lev;
using licit::steal_half;
using licit_test::counted;
using licit_test::counting_memory;
using checked = chase_lev<int, licit::native_checked>;

template <class Handle, class Own>
concept steals_half_into = requires(Handle& handle, Own& own) { handle.steal_half(own); };
static_assert(steals_half_into<const licit::stealer<int>, licit::owner<int>>);
static_assert(!steals_half_into<licit::stealer<int>, licit::stealer<int>>, "only an owner's thread may push");
static_assert(!steals_half_into<licit::stealer<int>, const licit::owner<int>>);
static_assert(!steals_half_into<licit::owner<int>, licit::owner<int>>, "an owner is no thief of its own");

void fill(checked& deque, int items) {
  for (int i = 0; i != items; ++i) deque.push(i);
}

TEST(StealHalf, TakesTheOlderHalfRoundedUpAndNotMoreThanAskedFor) {
  for (int items = 1; items != 80; ++items) {
    for (const std::size_t most : {1, 2, 3, 31, 32, 33, 1000}) {
      checked victim;
      checked own({.initial_capacity = 1});
      fill(victim, items);
      const auto got = steal_half(victim, own, most);
      const std::size_t share = std::min(static_cast<std::size_t>(items + 1) / 2, most);
      ASSERT_TRUE(got);
      EXPECT_EQ(*got, 0);
      ASSERT_EQ(got.moved(), share - 1);
      EXPECT_EQ(own.size(), share - 1);
      EXPECT_EQ(victim.size(), static_cast<std::size_t>(items) - share);
      for (int i = static_cast<int>(share) - 1; i != 0; --i) ASSERT_EQ(own.pop(), i);
      for (int i = items - 1; i >= static_cast<int>(share); --i) ASSERT_EQ(victim.pop(), i);
    }
  }
}

TEST(StealHalf, IsTheSameUnderAsymmetricFences) {
  using light = chase_lev<int, licit::asymmetric<licit::native_checked>>;
  for (int items = 0; items != 20; ++items) {
    for (const std::size_t most : {1, 3, 32}) {
      light victim;
      light own({.initial_capacity = 4, .maximum_capacity = 4});
      own.push(-1);
      for (int i = 0; i != items; ++i) victim.push(i);
      const auto got = steal_half(victim, own, most);
      ASSERT_EQ(got.is_empty(), items == 0);
      if (!got) continue;
      const std::size_t share = std::min({static_cast<std::size_t>(items + 1) / 2, most, std::size_t{4}});
      EXPECT_EQ(*got, 0);
      ASSERT_EQ(got.moved(), share - 1) << "room for three";
      EXPECT_EQ(victim.size(), static_cast<std::size_t>(items) - share);
      for (int i = static_cast<int>(share) - 1; i != 0; --i) ASSERT_EQ(own.pop(), i);
      EXPECT_EQ(own.pop(), -1);
    }
  }
}

TEST(StealHalf, TakesAtMost32UnlessToldOtherwise) {
  checked victim;
  checked own;
  fill(victim, 200);
  EXPECT_EQ(steal_half(victim, own).moved(), 31U);
  const std::size_t there = victim.size();
  EXPECT_TRUE(steal_half(victim, own, 0).is_empty()) << "none were asked for";
  EXPECT_EQ(victim.size(), there);
  EXPECT_EQ(own.size(), 31U);
}

TEST(StealHalf, OfAnEmptyDequeIsEmpty) {
  checked victim;
  checked own;
  EXPECT_TRUE(steal_half(victim, own).is_empty());
  victim.push(1);
  EXPECT_EQ(*steal_half(victim, own), 1);
  EXPECT_TRUE(steal_half(victim, own).is_empty());
  EXPECT_EQ(own.size(), 0U);
}

TEST(StealHalf, TakesWhatThereIsRoomForAndLeavesTheRest) {
  for (const std::size_t capacity : {1, 2, 4, 8}) {
    for (std::size_t before = 0; before <= capacity; ++before) {
      checked victim;
      checked own({.initial_capacity = capacity, .maximum_capacity = capacity});
      fill(victim, 40);
      for (std::size_t i = 0; i != before; ++i) own.push(-1);
      const auto got = steal_half(victim, own);
      EXPECT_EQ(*got, 0);
      EXPECT_EQ(got.moved(), capacity - before);
      EXPECT_EQ(own.size(), capacity);
      EXPECT_EQ(own.capacity(), capacity);
      EXPECT_EQ(victim.size(), 40U - 1 - got.moved());
      EXPECT_EQ(*victim.steal(), static_cast<int>(got.moved()) + 1) << "no claim was won in vain";
    }
  }
}

TEST(StealHalf, StopsWhereMemoryEnds) {
  counting_memory memory;
  checked victim;
  checked own({.initial_capacity = 4, .memory = &memory});
  fill(victim, 40);
  memory.failing = true;
  const auto got = steal_half(victim, own);
  EXPECT_EQ(*got, 0);
  EXPECT_EQ(got.moved(), 4U);
  EXPECT_EQ(memory.refused(), 1U);
  EXPECT_EQ(victim.size(), 35U);
  memory.failing = false;
  const auto more = steal_half(victim, own);
  EXPECT_EQ(*more, 5);
  EXPECT_EQ(more.moved(), 17U);
  EXPECT_EQ(own.size(), 21U);
  EXPECT_EQ(own.capacity(), 32U);
}

TEST(StealHalf, WorksOnRingsThatAreOverwritten) {
  checked victim({.initial_capacity = 4, .maximum_capacity = 4});
  checked own({.initial_capacity = 2, .maximum_capacity = 2});
  for (int i = 0, seen = 0; i != 1000; ++i) {
    while (victim.size() != 4) victim.push(seen++);
    const auto got = steal_half(victim, own);
    ASSERT_EQ(*got, 2 * i);
    ASSERT_EQ(got.moved(), 1U);
    ASSERT_EQ(own.pop(), 2 * i + 1);
  }
}

TEST(MakeRoomForOne, GrowsNowOrSaysThatItCannot) {
  counting_memory memory;
  checked deque({.initial_capacity = 2, .maximum_capacity = 4, .memory = &memory});
  EXPECT_TRUE(deque.make_room_for_one());
  EXPECT_EQ(deque.capacity(), 2U) << "there was room";
  fill(deque, 2);
  memory.failing = true;
  EXPECT_FALSE(deque.make_room_for_one());
  EXPECT_EQ(deque.capacity(), 2U);
  memory.failing = false;
  EXPECT_TRUE(deque.make_room_for_one());
  EXPECT_EQ(deque.capacity(), 4U);
  memory.failing = true;
  fill(deque, 2);
  EXPECT_EQ(memory.refused(), 1U);
  EXPECT_FALSE(deque.make_room_for_one()) << "the maximum";
  EXPECT_EQ(memory.refused(), 1U) << "it was not tried";
  EXPECT_EQ(*deque.steal(), 0);
  EXPECT_TRUE(deque.make_room_for_one()) << "a thief has made room";
  deque.push(7);
  for (const int expected : {7, 1, 0, 1}) EXPECT_EQ(deque.pop(), expected);
}

TEST(StealHalf, MovesWhatAnotherTypeOfItemOwns) {
  licit::owner<std::unique_ptr<counted>> victim;
  {
    licit::owner<std::unique_ptr<counted>> own({.initial_capacity = 1});
    for (licit_test::number n = 0; n != 10; ++n) victim.push(std::make_unique<counted>(n));
    const auto got = victim.stealer().steal_half(own);
    EXPECT_EQ((*got)->value(), 0U);
    EXPECT_EQ(got.moved(), 4U);
    EXPECT_EQ((*own.pop())->value(), 4U);
    EXPECT_EQ(counted::live(), 9);
  }
  EXPECT_EQ(counted::live(), 5) << "the thief's deque took its three with it, the result its one";
}

// Random operations on both deques, against a reference.

template <class T>
class Halves : public ::testing::Test {};
using payloads = ::testing::Types<licit_test::number, std::unique_ptr<counted>>;
TYPED_TEST_SUITE(Halves, payloads);

std::vector<std::uint8_t> random_program(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(60);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TYPED_TEST(Halves, AgreeWithTheReference) {
  for (unsigned seed = 0; seed != 400; ++seed) {
    ASSERT_NO_THROW(licit_test::run_halves<TypeParam>(random_program(seed), licit_test::real_half)) << "seed " << seed;
  }
}

template <class Half>
bool found(Half half) {
  for (unsigned seed = 0; seed != 400; ++seed) {
    try {
      licit_test::run_halves<licit_test::number>(random_program(seed), half);
    } catch (const licit_test::mismatch&) {
      return true;
    }
  }
  return false;
}

TEST(HalvesPlanted, AFaultyHalfIsFound) {
  EXPECT_FALSE(found(licit_test::real_half));
  EXPECT_TRUE(found(licit_test::half_rounded_down));
  EXPECT_TRUE(found(licit_test::half_without_room));
}

// --- Over light fences a theft of half is a row of single ones. Here both deques say what a script tells them.

/// What the calls that a theft makes are to return, and the calls.
struct script {
  std::vector<int> choices;  ///< of each call in turn; behind their end, 0
  std::size_t next = 0;
  std::vector<int> limits{};  ///< how many choices each call has had
  std::vector<std::string> calls{};

  int choose(int limit) {
    limits.push_back(limit);
    if (next == choices.size()) choices.push_back(0);
    return choices[next++];
  }
  /// Makes it the script that comes next, until all have been played.
  bool advance() {
    while (!choices.empty() && choices.back() + 1 == limits[choices.size() - 1]) choices.pop_back();
    if (choices.empty()) return false;
    *this = {.choices = choices};
    ++choices.back();
    return true;
  }
};
struct scripted : licit::native {};

}  // namespace

namespace licit::inline v0 {

template <>
class chase_lev<int, scripted> {
 public:
  chase_lev(script& s, std::size_t items) : script_{s}, items_{items} {}
  [[nodiscard]] std::size_t size() const { return items_; }
  stolen<int> steal() {
    const int chosen = script_.choose(3);
    script_.calls.emplace_back(chosen == 0 ? "steal" : "in vain");
    if (chosen == 1) return stolen<int>::empty();
    if (chosen == 2) return stolen<int>::lost();
    return stolen<int>::taken(++taken_, 0);
  }
  bool make_room_for_one() {
    const bool there = script_.choose(2) == 0;
    script_.calls.emplace_back(there ? "room" : "no room");
    return there;
  }
  void push(int item) { script_.calls.push_back("push " + std::to_string(item)); }

 private:
  script& script_;
  std::size_t items_;
  int taken_ = 0;
};

}  // namespace licit::inline v0

namespace {

// The first item is returned. For each further one there is room before it is stolen, and it is pushed at once. It ends
// where there is no room or nothing is got, and otherwise when half of what was there has come, rounded up.
TEST(StealHalf, SinglyMakesRoomForEachItemAndBringsIt) {
  std::size_t played = 0;
  std::size_t scripts = 0;
  for (std::size_t items = 0; items != 12; ++items) {
    for (const std::size_t most : {1, 2, 3, 4, 5, 6, 7, 32}) {
      const std::size_t half = std::min(most, std::max<std::size_t>(1, (items + 1) / 2));
      scripts += 3 * half;  // two first steals in vain, three ways to end before each further item, and all
      script s;
      do {
        ++played;
        chase_lev<int, scripted> victim(s, items);
        chase_lev<int, scripted> own(s, 0);
        const auto got = licit::detail::half_thief<int, scripted>(victim, own).steal_singly(most);
        ASSERT_FALSE(s.calls.empty());
        if (s.calls[0] == "in vain") {
          EXPECT_EQ(s.calls.size(), 1U);
          EXPECT_EQ(s.choices[0] == 1 ? got.is_empty() : got.is_lost(), true);
          continue;
        }
        ASSERT_TRUE(got);
        EXPECT_EQ(*got, 1);
        std::vector<std::string> expected{"steal"};
        for (std::size_t i = 1; i != 1 + got.moved(); ++i) {
          expected.insert(expected.end(), {"room", "steal", "push " + std::to_string(i + 1)});
        }
        if (s.calls.back() == "no room") expected.emplace_back("no room");
        if (s.calls.back() == "in vain") expected.insert(expected.end(), {"room", "in vain"});
        EXPECT_EQ(s.calls, expected);
        const bool is_cut_short = s.calls.back() == "no room" || s.calls.back() == "in vain";
        EXPECT_EQ(1 + got.moved() < half, is_cut_short) << items << " items, at most " << most;
        EXPECT_LE(1 + got.moved(), half);
      } while (s.advance());
    }
  }
  EXPECT_EQ(played, scripts);
}

}  // namespace
