#include <atomic>
#include <cstdint>
#include <memory_resource>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"

namespace {

using licit::native;
using licit::native_checked;

template <licit::fixed_string Name>
constexpr auto at = licit::site_of<licit::chase_lev_orders, Name>;

TEST(Native, EveryOrderIsTheStandardsOfThatName) {
  EXPECT_EQ(licit::detail::to_std(licit::order::relaxed), std::memory_order_relaxed);
  EXPECT_EQ(licit::detail::to_std(licit::order::acquire), std::memory_order_acquire);
  EXPECT_EQ(licit::detail::to_std(licit::order::release), std::memory_order_release);
  EXPECT_EQ(licit::detail::to_std(licit::order::acq_rel), std::memory_order_acq_rel);
  EXPECT_EQ(licit::detail::to_std(licit::order::seq_cst), std::memory_order_seq_cst);
}

TEST(Native, AnAtomicStartsAtZeroBytesAndHoldsWhatIsStored) {
  native::atomic<std::int64_t> cell;
  EXPECT_EQ(cell.load(at<"pop.item">), 0);
  cell.store(-5, at<"push.item">);
  EXPECT_EQ(cell.load(at<"pop.item">), -5);
  EXPECT_EQ(native::atomic<std::int64_t>(9).load(at<"pop.item">), 9);
}

TEST(Native, AnAtomicNeedsNoDefaultConstructor) {
  native::atomic<licit_test::no_default> cell;
  EXPECT_EQ(cell.load(at<"pop.item">).value, 0U);
  cell.store(licit_test::no_default(3), at<"push.item">);
  EXPECT_EQ(cell.load(at<"pop.item">).value, 3U);
}

TEST(Native, AFailedCompareExchangeTellsWhatItRead) {
  native::atomic<std::int64_t> cell(4);
  std::int64_t expected = 3;
  EXPECT_FALSE(cell.compare_exchange(expected, 8, at<"steal.claim">));
  EXPECT_EQ(expected, 4);
  EXPECT_EQ(cell.load(at<"pop.item">), 4);
  EXPECT_TRUE(cell.compare_exchange(expected, 8, at<"steal.claim">));
  EXPECT_EQ(cell.load(at<"pop.item">), 8);
}

TEST(Native, AWeakCompareExchangeSucceedsOrTellsWhatItRead) {
  native::atomic<std::int64_t> cell(4);
  std::int64_t expected = 3;
  EXPECT_FALSE(cell.compare_exchange_weak(expected, 8, at<"steal.claim">));
  EXPECT_EQ(expected, 4);
  while (!cell.compare_exchange_weak(expected, 8, at<"steal.claim">)) EXPECT_EQ(expected, 4);
  EXPECT_EQ(cell.load(at<"pop.item">), 8);
}

TEST(Native, AFenceLeavesMemoryAsItWas) {
  std::int64_t near_the_stack_pointer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  native::fence(at<"pop.fence">);
  for (std::int64_t i = 0; i != 8; ++i) EXPECT_EQ(near_the_stack_pointer[i], i + 1);
}

TEST(Native, RingsComeFromNewAndDelete) { EXPECT_EQ(native::memory(), std::pmr::new_delete_resource()); }

TEST(NativeCheckedDeathTest, ABrokenInvariantNamesItsNumberAndAborts) {
  native_checked::invariant(1, true);
  EXPECT_DEATH(native_checked::invariant(2, false), "licit: invariant I2 of deque/README.md does not hold");
}

}  // namespace
