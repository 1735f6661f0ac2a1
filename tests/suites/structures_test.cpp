/// What only one structure has to show: the tagged deque, the Chase-Lev deque, the parker, and task states.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "suites/chase_lev_asymmetric.hpp"
#include "suites/parker.hpp"
#include "suites/structure.hpp"
#include "suites/tagged.hpp"

namespace licit::suites {
namespace {

using checker::outcome;

// The tagged deque: what an owner keeps from the others that stops in a renewal.

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

// The parker: unparks leave one token, and nobody but the thread that parks waits.

program made(std::string_view text) {
  return detail::program_list::made<parker_client>({.name = "own", .text = text, .property = "", .waits = true});
}

TEST(Parker, TwoUnparksLeaveOneToken) {
  const checker::verdict once = made("unpark unpark: park").explore({});
  EXPECT_EQ(once.outcome, outcome::ok) << once.message;
  EXPECT_NE(once.executions, 0U);
  const checker::verdict twice = made("unpark unpark: park park").explore({.deadlocks = false});
  EXPECT_EQ(twice.outcome, outcome::ok) << twice.message;
  EXPECT_EQ(twice.executions, 0U);
  EXPECT_NE(twice.deadlocked, 0U);
}

TEST(Parker, UnparkersDoWithoutTheThreadThatParks) {
  for (const client_line& one : {parker_lines[0], parker_lines[2]}) {
    const program p = made(one.text);
    unsigned after = 0;
    for (bool stalled = true; stalled; ++after) {
      const checker::verdict v = p.explore({.stalled = {.thread = 0, .after = after}});
      ASSERT_EQ(v.outcome, outcome::ok) << one.name << ", stopped after " << after << ": " << v.message << "\n"
                                        << v.trace;
      stalled = v.stalled;
    }
    EXPECT_GT(after, 1U) << one.name << ": the thread takes no steps";
  }
}

// A task's state: rows of two orders lose each of them in a mutant.

const structure& task_state_entry() { return *std::ranges::find(structures(), "task-state", &structure::name); }

TEST(TaskState, MutantsTakeEachHalfOfAcqRelAway) {
  const structure& s = task_state_entry();
  unsigned rows = 0;
  for (const row& r : s.audited.rows) {
    if (r.success != order::acq_rel) continue;
    ++rows;
    for (const order half : {order::acquire, order::release}) {
      EXPECT_EQ(std::ranges::count_if(s.mutants,
                                      [&](const mutant& m) {
                                        return m.what.site == r.site && m.what.how == change::weaken &&
                                               m.what.success == half;
                                      }),
                1)
          << r.site;
    }
  }
  EXPECT_EQ(rows, 6U);
}

}  // namespace
}  // namespace licit::suites
