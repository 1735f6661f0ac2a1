// The handles: who may do what, how long the deque lives, what a failed push leaves behind.
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"
#include "support/memory.hpp"

namespace {

using licit::owner;
using licit::stealer;
using licit_test::counted;
using licit_test::counting_memory;

template <class Handle, class T>
concept pushes = requires(Handle& handle, T item) { handle.push(std::move(item)); };
template <class Handle, class T>
concept pushes_a_copy = requires(Handle& handle, const T& item) { handle.push(item); };
template <class Handle>
concept pops = requires(Handle& handle) { handle.pop(); };
template <class Handle>
concept steals = requires(Handle& handle) { handle.steal(); };

static_assert(!std::is_copy_constructible_v<owner<int>> && !std::is_copy_assignable_v<owner<int>>);
static_assert(std::is_nothrow_move_constructible_v<owner<int>> && std::is_nothrow_move_assignable_v<owner<int>>);
static_assert(std::is_copy_constructible_v<stealer<int>> && std::is_copy_assignable_v<stealer<int>>);
static_assert(!std::is_constructible_v<stealer<int>, owner<int>>, "only through owner::stealer()");
static_assert(!std::is_default_constructible_v<stealer<int>>, "a stealer always has a deque");
static_assert(!std::is_convertible_v<licit::deque_options, owner<int>>, "making a deque is explicit");
static_assert(pushes<owner<int>, int> && pushes_a_copy<owner<int>, int> && pops<owner<int>> && !steals<owner<int>>);
static_assert(!pushes<stealer<int>, int> && !pops<stealer<int>> && steals<stealer<int>>);
static_assert(steals<const stealer<int>>, "one stealer may be used by several threads");
static_assert(!pushes<const owner<int>, int> && !pops<const owner<int>>);
static_assert(pushes<owner<std::unique_ptr<int>>, std::unique_ptr<int>>);
static_assert(!pushes_a_copy<owner<std::unique_ptr<int>>, std::unique_ptr<int>>);

TEST(Owner, PopsTheYoungestAndStealersTakeTheOldest) {
  owner<int> mine;
  const stealer<int> thief = mine.stealer();
  const int copied = 1;
  mine.push(copied);
  mine.push(2);
  mine.push(3);
  EXPECT_EQ(mine.pop(), 3);
  const auto got = thief.steal();
  EXPECT_EQ(got.what(), licit::outcome::taken);
  EXPECT_EQ(*got, 1);
  EXPECT_EQ(mine.pop(), 2);
  EXPECT_EQ(mine.pop(), std::nullopt);
  EXPECT_TRUE(thief.steal().is_empty());
  EXPECT_FALSE(thief.steal().is_lost());
}

TEST(Owner, SizesAreTheSameFromBothHandles) {
  owner<int> mine({.initial_capacity = 2});
  const stealer<int> thief = mine.stealer();
  EXPECT_TRUE(mine.empty() && thief.empty());
  for (std::size_t i = 1; i != 10; ++i) {
    mine.push(0);
    EXPECT_EQ(mine.size(), i);
    EXPECT_EQ(thief.size(), i);
    EXPECT_FALSE(mine.empty() || thief.empty());
    EXPECT_GE(mine.capacity(), i);
  }
}

TEST(Owner, EveryStealerIsOfTheSameDeque) {
  owner<int> mine;
  const stealer<int> first = mine.stealer();
  stealer<int> copy = first;
  owner<int> another;
  another.push(9);
  stealer<int> assigned = another.stealer();
  assigned = copy;
  for (int i = 0; i != 3; ++i) mine.push(i);
  EXPECT_EQ(*first.steal(), 0);
  EXPECT_EQ(*copy.steal(), 1);
  EXPECT_EQ(*assigned.steal(), 2);
}

TEST(Owner, KeepsItsDequeWhenItIsMoved) {
  owner<int> first;
  const stealer<int> thief = first.stealer();
  first.push(1);
  owner<int> second = std::move(first);
  second.push(2);
  EXPECT_EQ(*thief.steal(), 1);
  first = owner<int>();  // a moved-from owner may be assigned to
  first.push(7);
  EXPECT_EQ(second.pop(), 2);
  EXPECT_EQ(second.pop(), std::nullopt);
  EXPECT_EQ(first.pop(), 7);
}

TEST(Owner, LeavesItsItemsToTheStealers) {
  counting_memory memory;
  {
    std::optional<owner<int>> mine(std::in_place, licit::deque_options{.initial_capacity = 1, .memory = &memory});
    const stealer<int> thief = mine->stealer();
    for (int i = 0; i != 5; ++i) mine->push(i);
    mine.reset();
    EXPECT_EQ(thief.size(), 5U);
    for (int i = 0; i != 5; ++i) EXPECT_EQ(*thief.steal(), i);
    EXPECT_TRUE(thief.steal().is_empty());
    EXPECT_GT(memory.live_bytes(), 0U) << "the stealer keeps the deque alive";
  }
  EXPECT_EQ(memory.live_bytes(), 0U);
}

TEST(Owner, KeepsTheItemOfAPushThatHadNoMemory) {
  counting_memory memory;
  owner<std::unique_ptr<counted>> mine({.initial_capacity = 1, .memory = &memory});
  mine.push(std::make_unique<counted>(1));
  auto item = std::make_unique<counted>(2);
  const counted* const same = item.get();
  memory.failing = true;
  EXPECT_THROW(mine.push(std::move(item)), std::bad_alloc);
  EXPECT_EQ(item.get(), same);
  EXPECT_EQ(item->value(), 2U);
  EXPECT_EQ(mine.size(), 1U);
  EXPECT_EQ(mine.capacity(), 1U);
  memory.failing = false;
  mine.push(std::move(item));
  EXPECT_EQ(item, nullptr);
  EXPECT_EQ((*mine.pop())->value(), 2U);
  EXPECT_EQ((*mine.pop())->value(), 1U);
}

TEST(Owner, KeepsTheItemOfAPushAtTheMaximumCapacity) {
  owner<std::unique_ptr<counted>> mine({.initial_capacity = 1, .maximum_capacity = 1});
  mine.push(std::make_unique<counted>(1));
  auto item = std::make_unique<counted>(2);
  EXPECT_THROW(mine.push(std::move(item)), licit::capacity_error);
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->value(), 2U);
  EXPECT_EQ((*mine.pop())->value(), 1U);
}

TEST(Stolen, CarriesAnItemOrTheReasonForNone) {
  const auto none = licit::stolen<int>::empty();
  EXPECT_TRUE(none.is_empty() && !none.is_lost() && !none);
  const auto lost = licit::stolen<int>::lost();
  EXPECT_TRUE(lost.is_lost() && !lost.is_empty() && !lost);
  EXPECT_EQ(lost.what(), licit::outcome::lost);
  auto taken = licit::stolen<std::unique_ptr<counted>>::taken(std::make_unique<counted>(4));
  ASSERT_TRUE(taken);
  EXPECT_FALSE(taken.is_lost() || taken.is_empty());
  EXPECT_EQ(taken->get()->value(), 4U);
  const std::unique_ptr<counted> mine = *std::move(taken);
  EXPECT_EQ(mine->value(), 4U);
}

}  // namespace
