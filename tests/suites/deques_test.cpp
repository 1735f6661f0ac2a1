/// What only one of the deques has to show.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suites/chase_lev_asymmetric.hpp"
#include "suites/structure.hpp"
#include "suites/tagged.hpp"

namespace licit::suites {
namespace {

// The tagged deque: what an owner keeps from the others that stops in a renewal.

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

// Asymmetric fences where the kernel refuses them: full fences on both sides, which are those of the symmetric table.

using full_orders = checker::live_orders<chase_lev_orders>;

class FullFences : public testing::Test {
 protected:
  FullFences() {
    detail::program_list list{programs};
    adapting<full_fences, detail::program_list> full{list};
    full.lines<chase_lev_client>(chase_lev_lines);
    full.lines<published_client>(published_lines);
  }
  void SetUp() override { full_orders::reset(); }
  void TearDown() override { full_orders::reset(); }
  static void expect_right(const program& p) {
    const checker::verdict v = p.explore({});
    EXPECT_EQ(v.outcome, outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
  }

  std::vector<program> programs;
};

TEST_F(FullFences, AreEnough) {
  for (const program& p : programs) {
    if (p.about.threads <= 2) expect_right(p);
  }
}

/// Up to more than a million executions each: nightly.
TEST_F(FullFences, AreEnoughForThreeThreads_long) {
  for (const program& p : programs) {
    if (p.about.threads > 2) expect_right(p);
  }
}

TEST_F(FullFences, AreThoseOfTheSymmetricTable) {
  for (const char* fence : {"pop.fence", "steal.fence"}) {
    full_orders::reset();
    full_orders::apply({.site = fence, .how = change::weaken, .success = order::acq_rel});
    bool caught = false;
    for (const program& p : programs) {
      if (p.about.name == "crowd" || caught) continue;
      caught = p.explore({}).outcome == outcome::violation;
    }
    EXPECT_TRUE(caught) << fence;
  }
}

}  // namespace
}  // namespace licit::suites
