// The accounting of the stress test: it finds what is planted for it, and nothing where nothing is.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/faulty.hpp"
#include "support/scripts.hpp"
#include "support/shift.hpp"

namespace {

using licit_test::auditor;
using licit_test::fault;
using licit_test::faulty_owner;
using licit_test::ledger;
using licit_test::number;
using licit_test::owner_ledger;
using licit_test::parcel;
namespace scripts = licit_test::scripts;
using complaints = std::vector<std::string>;

owner_ledger owner_of(number pushed, const std::vector<number>& popped) {
  owner_ledger book;
  for (number n = 0; n != pushed; ++n) book.pushed(n);
  for (const number n : popped) book.popped(n);
  return book;
}

ledger thief_of(std::vector<number> taken, std::vector<number> damaged = {}) {
  return {.taken = std::move(taken), .damaged = std::move(damaged)};
}

TEST(Accounting, BooksThatBalance) {
  EXPECT_EQ(auditor::audit(5, owner_of(5, {4, 3}), {thief_of({0, 2}), thief_of({1})}), complaints{});
}

TEST(Accounting, ALostItem) {
  EXPECT_EQ(auditor::audit(5, owner_of(5, {4, 3}), {thief_of({0}), thief_of({1})}), complaints{"nobody took item 2 "});
}

TEST(Accounting, AnItemTakenTwice) {
  EXPECT_EQ(auditor::audit(4, owner_of(4, {3, 2}), {thief_of({0, 1}), thief_of({1})}),
            complaints{"several took item 1 2 times"});
}

TEST(Accounting, AnItemThatWasNeverPushed) {
  EXPECT_EQ(auditor::audit(1, owner_of(1, {0}), {thief_of({7})}),
            complaints{"thief 0 took item 7 which was never pushed"});
}

TEST(Accounting, AThiefsOrder) {
  EXPECT_EQ(auditor::audit(3, owner_of(3, {}), {thief_of({0, 2, 1})}),
            complaints{"thief 0 took item 1 after a younger one"});
}

TEST(Accounting, TheOwnersOrder) {
  EXPECT_EQ(auditor::audit(3, owner_of(3, {1}), {thief_of({0, 2})}),
            complaints{"the owner popped item 1 which was not its youngest"});
  owner_ledger book = owner_of(2, {});
  book.popped_nothing(0);
  book.popped(0);  // it had said that thieves took all
  EXPECT_EQ(auditor::audit(2, book, {thief_of({1})}), complaints{"the owner popped item 0 which was not its youngest"});
}

TEST(Accounting, APopThatBroughtNothingWhenThereWasSomething) {
  owner_ledger book = owner_of(1, {});
  book.popped_nothing(1);
  EXPECT_EQ(auditor::audit(1, book, {thief_of({0})}),
            complaints{"pop brought nothing from a deque with items, 1 times"});
}

TEST(Accounting, DamagedContents) {
  EXPECT_EQ(auditor::audit(1, owner_of(1, {}), {thief_of({0}, {0})}), complaints{"thief 0 took item 0 damaged"});
  parcel p;
  EXPECT_FALSE(p.open()) << "never sealed";
  p.seal(3);
  EXPECT_TRUE(p.open());
  EXPECT_FALSE(p.open()) << "opened before";
}

TEST(Accounting, AFloodOfComplaintsIsCutShortAndDoesNotHideTheNextKind) {
  EXPECT_EQ(auditor::audit(1000, owner_of(1000, {}), {}).size(), 20U);
  const ledger all_damaged = thief_of(std::vector<number>(100, 0), std::vector<number>(100, 0));
  const complaints found = auditor::audit(2, owner_of(2, {}), {all_damaged});
  EXPECT_EQ(found.size(), 20U + 20U + 2U) << "damaged, out of order, item 0 a hundred times and item 1 never";
  EXPECT_EQ(found.back(), "nobody took item 1 ");
}

// Whole shifts, with threads, on a deque that has the fault.
bool any_says(const complaints& found, const std::string& words) {
  return std::any_of(found.begin(), found.end(), [&](const std::string& c) { return c.find(words) != c.npos; });
}

template <class Script>
complaints faulty_shift(fault f, Script script) {
  return licit_test::shift<parcel*>(faulty_owner<parcel*>(f), 4'000, 1, script);
}

TEST(FaultyShift, TheControlHasNoComplaint) {
  EXPECT_EQ(faulty_shift(fault::none, scripts::push_all_then_pop), complaints{});
  EXPECT_EQ(faulty_shift(fault::none, scripts::mixed), complaints{});
  EXPECT_EQ(faulty_shift(fault::none, scripts::fill_to_the_brim), complaints{});
  EXPECT_EQ(faulty_shift(fault::none, scripts::one_by_one), complaints{});
  EXPECT_EQ(faulty_shift(fault::none, scripts::relay), complaints{});
}

/// Thieves take all that there is to take, so that a fault in `steal` is certain to strike.
constexpr auto all_to_the_thieves = [](auto& mine) {
  mine.push(mine.left());
  while (!mine.handle().empty()) mine.await_theft();
};

TEST(FaultyShift, DroppedItemsAreReported) {
  EXPECT_TRUE(any_says(faulty_shift(fault::drops, scripts::push_all_then_pop), "nobody took item "));
  EXPECT_TRUE(any_says(faulty_shift(fault::drops, all_to_the_thieves), "nobody took item "));
}

TEST(FaultyShift, RepeatedItemsAreReportedAndTheirContentsWereSpent) {
  const complaints found = faulty_shift(fault::repeats, all_to_the_thieves);
  EXPECT_TRUE(any_says(found, "several took item "));
  EXPECT_TRUE(any_says(found, "after a younger one"));
  EXPECT_TRUE(any_says(found, "damaged"));
}

TEST(FaultyShift, AStealFromTheWrongEndIsReported) {
  EXPECT_TRUE(any_says(faulty_shift(fault::steals_youngest, all_to_the_thieves), "after a younger one"));
}

TEST(FaultyShift, APopFromTheWrongEndIsReported) {
  const auto alone = licit_test::shift<parcel*>(faulty_owner<parcel*>(fault::pops_oldest), 4'000, 0, [](auto& mine) {
    mine.push(mine.left());
    mine.pop_all();
  });
  EXPECT_TRUE(any_says(alone, "which was not its youngest"));
}

}  // namespace
