// The tables are compile-time data, so most of these tests are static_asserts; each inconsistent table breaks one rule.
#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>

#include <gtest/gtest.h>

#include "support/items.hpp"

namespace {

namespace rows = licit::rows;
using licit::operation;
using licit::order;
using licit::row;
using licit::table;

constexpr row give = rows::store("give", order::release, {"take"}, "publishes");
constexpr row take = rows::load("take", order::acquire, {"give"}, "reads what give publishes");
constexpr row count = rows::load("count", order::relaxed, {}, "an estimate");

constexpr table sound{"sound", {give, take, count}};
static_assert(sound.consistent());
static_assert(licit::chase_lev_orders.consistent());

constexpr table doubled_site{"doubled", {give, take, count, count}};
static_assert(!doubled_site.is_consistent());

constexpr table missing_reason{"unreasoned", {give, take, rows::load("count", order::relaxed, {}, "")}};
static_assert(!missing_reason.is_consistent());

constexpr table ordered_without_partner{"alone", {give, take, rows::load("count", order::acquire, {}, "why")}};
static_assert(!ordered_without_partner.is_consistent());

constexpr table failure_without_partner{
    "alone", {give, take, rows::compare_exchange("claim", order::relaxed, order::acquire, {}, "why")}};
static_assert(!failure_without_partner.is_consistent());

constexpr table not_named_back{"one-sided",
                               {give, take, count, rows::store("other", order::release, {"take"}, "publishes too")}};
static_assert(!not_named_back.is_consistent());

constexpr table partner_names_another{"crossed",
                                      {rows::store("give", order::release, {"take"}, "publishes"),
                                       rows::load("take", order::acquire, {"other"}, "reads the wrong one"),
                                       rows::store("other", order::release, {"take"}, "publishes too")}};
static_assert(!partner_names_another.is_consistent());

constexpr table relaxed_with_partner{"relaxed",
                                     {rows::store("give", order::relaxed, {"take"}, "promises what it cannot"), take}};
static_assert(!relaxed_with_partner.is_consistent());

// The standard makes these undefined behaviour.
constexpr table releasing_load{
    "unlawful",
    {rows::load("take", order::release, {"give"}, "no"), rows::store("give", order::release, {"take"}, "yes")}};
static_assert(!releasing_load.is_consistent());

constexpr table acquiring_store{
    "unlawful",
    {rows::load("take", order::acquire, {"give"}, "yes"), rows::store("give", order::acq_rel, {"take"}, "no")}};
static_assert(!acquiring_store.is_consistent());

constexpr table releasing_failure{
    "unlawful",
    {take, give, rows::compare_exchange("claim", order::release, order::release, {"other"}, "a failure writes nothing"),
     rows::load("other", order::acquire, {"claim"}, "yes")}};
static_assert(!releasing_failure.is_consistent());

TEST(Order, ARowIsFoundByItsSite) {
  EXPECT_EQ(sound.find("give"), 0U);
  EXPECT_EQ(sound.find("count"), 2U);
  EXPECT_EQ(licit::chase_lev_orders.rows[licit::chase_lev_orders.find("pop.fence")].site, "pop.fence");
}

TEST(Order, ASiteCarriesItsRow) {
  using site = std::remove_const_t<decltype(licit::site_of<licit::chase_lev_orders, "steal.claim">)>;
  EXPECT_EQ(&site::in, &licit::chase_lev_orders);
  EXPECT_EQ(site::index, licit::chase_lev_orders.find("steal.claim"));
  EXPECT_EQ(site::entry.kind, operation::compare_exchange);
  EXPECT_EQ(site::entry.success, order::release);
  EXPECT_EQ(site::entry.failure, order::relaxed);
  EXPECT_TRUE(site::entry.pairs.contains("push.room"));
  EXPECT_FALSE(site::entry.pairs.contains("push"));
}

TEST(Order, AnUnknownSiteIsAnErrorAtRunTimeToo) { EXPECT_THROW((void)sound.find("nowhere"), std::logic_error); }

TEST(Order, RowsOtherThanCompareExchangeHaveNoFailureOrder) {
  for (const row& r : licit::chase_lev_orders.rows) {
    EXPECT_TRUE(r.kind == operation::compare_exchange || r.failure == order::relaxed) << r.site;
  }
}

TEST(Order, EveryOrderAndOperationHasItsName) {
  const std::string orders =
      std::string(licit::detail::name(order::relaxed)) + " " + std::string(licit::detail::name(order::acquire)) + " " +
      std::string(licit::detail::name(order::release)) + " " + std::string(licit::detail::name(order::acq_rel)) + " " +
      std::string(licit::detail::name(order::seq_cst));
  EXPECT_EQ(orders, "relaxed acquire release acq_rel seq_cst");
  const std::string operations =
      std::string(licit::detail::name(operation::load)) + " " + std::string(licit::detail::name(operation::store)) +
      " " + std::string(licit::detail::name(operation::compare_exchange)) + " " +
      std::string(licit::detail::name(operation::update)) + " " + std::string(licit::detail::name(operation::fence));
  EXPECT_EQ(operations, "load store compare_exchange update fence");
}

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
