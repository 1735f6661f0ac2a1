/// The tagged deque: what an owner keeps from the others that stops in a renewal.
#include "suites/tagged.hpp"

#include <gtest/gtest.h>

#include "suites/structure.hpp"

namespace licit::suites {
namespace {

using checker::outcome;

/// As `renewal`, but with the claim that a stopped owner has one item at most.
constexpr client_line withholds_nothing{"withholds_nothing",
                                        "capacity=8 moves=2 withheld=0 push*3 pop pop push*4 pop: pop pop | steal",
                                        "an owner that stops in a renewal keeps no item from thieves"};

TEST(TaggedRenewal, WithholdsItemsWhileItMovesThem) {
  const program p = detail::program_list::made<short_tags_client>(withholds_nothing);
  unsigned withheld = 0;
  bool stopped = true;
  for (unsigned after = 0; stopped; ++after) {
    const checker::verdict v = p.explore({.stalled = {.thread = 0, .after = after}});
    stopped = v.outcome == outcome::violation || v.stalled;
    if (v.outcome != outcome::violation) continue;
    ++withheld;
    EXPECT_EQ(v.message, "nothing lost: an item was pushed and never taken");
  }
  EXPECT_GT(withheld, 0U);
}

}  // namespace
}  // namespace licit::suites
