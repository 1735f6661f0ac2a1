// A row changes just its site's operation, at compile time.

#include <array>
#include <cstdint>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/tagged_orders.hpp>

#include <gtest/gtest.h>

#include "machine/stress/arena.hpp"
#include "machine/stress/instances.hpp"
#include "machine/stress/model.hpp"
#include "machine/stress/row.hpp"
#include "machine/stress/watch.hpp"
#include "suites/chase_lev.hpp"

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

// Mutants that any machine shows, compiled in as the executables have them; and the same programs without.

namespace {

using licit::stress::altered;
using licit::stress::change;
using licit::stress::model;
using licit::stress::result;
using licit::stress::row;
using licit::suites::chase_lev_client;
using licit::suites::client_line;

struct rows_of_the_deque {
  static constexpr const auto& table = licit::chase_lev_orders;
  static constexpr std::array rows{row{"growth forgets an item", true, {{"grow.copy", change::drop_first}}, {}},
                                   row{"pop.restore left out", true, {{"pop.restore", change::drop}}, {}}};
};

template <class Model>
result run(const char* text, std::uint64_t executions) {
  const licit::stress::subject s =
      licit::stress::subject_of<chase_lev_client, Model>(client_line{.name = "own", .text = text, .property = ""});
  return licit::stress::watch({.what = &s, .seed = 1, .executions = executions, .seconds = 60}, false, {});
}

TEST(Mutants, AnItemForgottenInGrowth) {
  constexpr const char* growth = "capacity=1: push push push pop | steal steal";
  EXPECT_FALSE(run<model<>>(growth, 3000).caught);
  EXPECT_TRUE((run<model<altered<rows_of_the_deque, 0>>>(growth, 3000).caught));
}

TEST(Mutants, APopThatRestoresNothing) {
  constexpr const char* refill = "capacity=2: push pop push | steal steal";
  EXPECT_FALSE(run<model<>>(refill, 3000).caught);
  EXPECT_TRUE((run<model<altered<rows_of_the_deque, 1>>>(refill, 3000).caught));
}

/// A suite gives its list just the programs that the row names.
TEST(Mutants, RunTheProgramsOfTheirRow) {
  static constexpr row of{"pop.restore left out", true, {{"pop.restore", change::drop}}, {"refill", "last_item"}};
  licit::stress::row_programs<model<altered<rows_of_the_deque, 1>>> list("chase-lev", of);
  const std::size_t before = licit::stress::subjects().size();
  licit::suites::chase_lev_suite::programs(list);
  ASSERT_EQ(licit::stress::subjects().size(), before + 2);
  EXPECT_EQ(licit::stress::subjects().back().structure, "chase-lev");
  EXPECT_EQ(licit::stress::subjects().back().row, "pop.restore left out");
}

}  // namespace
