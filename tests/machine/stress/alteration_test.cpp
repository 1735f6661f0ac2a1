// A row changes just its site's operation, at compile time.

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/tagged_orders.hpp>

#include <gtest/gtest.h>

#include "machine/stress/arena.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/row.hpp"

namespace {

using licit::operation;
using licit::order;
using licit::site_of;
using licit::stress::altered;
using licit::stress::execution_number;
using licit::stress::model;
using licit::stress::row;
using licit::stress::unaltered;
using licit::suites::change;

constexpr std::array rows{
    row{"publish", true, {{"push.publish", change::weaken, order::relaxed, order::relaxed}}, {}},
    row{"two", true, {{"push.publish", change::drop}, {"steal.claim", change::blind_store}}, {}},
    row{"first", true, {{"push.publish", change::drop_first}}, {}},
};

struct structure {
  static constexpr const auto& table = licit::chase_lev_orders;
  static constexpr const auto& rows = ::rows;
};

using publish = licit::site<licit::chase_lev_orders, licit::chase_lev_orders.find("push.publish")>;
using claim = licit::site<licit::chase_lev_orders, licit::chase_lev_orders.find("steal.claim")>;
using tagged_publish = licit::site<licit::tagged_orders, licit::tagged_orders.find("push.publish")>;

static_assert(unaltered::at<publish>().success == order::release);
static_assert(altered<structure, 0>::at<publish>().success == order::relaxed);
static_assert(altered<structure, 0>::at<claim>().success == claim::entry.success);
static_assert(altered<structure, 0>::at<tagged_publish>().success == order::release, "a site of another table");
static_assert(altered<structure, 1>::at<publish>().dropped && !altered<structure, 1>::at<publish>().blind);
static_assert(altered<structure, 1>::at<claim>().blind);
static_assert(altered<structure, 2>::at<publish>().dropped_first);

TEST(Alteration, AStoreThatIsDroppedIsNotDone) {
  model<unaltered>::atomic<long> there(1);
  there.store(2, publish{});
  EXPECT_EQ(there.load(order::relaxed), 2);
  model<altered<structure, 1>>::atomic<long> dropped(1);
  dropped.store(2, publish{});
  EXPECT_EQ(dropped.load(order::relaxed), 1);
}

TEST(Alteration, TheFirstStoreOfEachExecutionIsDropped) {
  model<altered<structure, 2>>::atomic<long> word(1);
  for (execution_number = 1; execution_number != 3; ++execution_number) {
    word.store(2, publish{});
    EXPECT_EQ(word.load(order::relaxed), 1) << "the first";
    word.store(3, publish{});
    EXPECT_EQ(word.load(order::relaxed), 3) << "the second";
    word.store(1, order::relaxed);
  }
}

TEST(Alteration, ABlindStoreDoesNotLook) {
  long expected = 7;
  model<altered<structure, 1>>::atomic<long> blind(1);
  EXPECT_TRUE(blind.compare_exchange(expected, 9, claim{}));
  EXPECT_EQ(blind.load(order::relaxed), 9);
  model<unaltered>::atomic<long> looks(1);
  EXPECT_FALSE(looks.compare_exchange(expected, 9, claim{}));
  EXPECT_EQ(expected, 1);
}

}  // namespace
