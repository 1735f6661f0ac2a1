/// What only the structures have to show whose threads sleep.
#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "suites/parker.hpp"
#include "suites/structure.hpp"

namespace licit::suites {
namespace {

// The parker: unparks leave one token, and nobody but the thread that parks waits.

using checker::outcome;

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
