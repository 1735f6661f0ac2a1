/// A task's state: rows of two orders lose each of them in a mutant, and no sleeper is left asleep.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

namespace licit::suites {
namespace {

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
  EXPECT_EQ(rows, 5U);
}

/// A futex may return for no reason. A thread that then sees nothing new and sleeps again is where it was; the
/// execution in which it does so for ever is counted as blocked, but not as deadlocked.
TEST(TaskState, NobodySleepsForEver) {
  const structure& s = task_state_entry();
  s.reset();
  unsigned waiting = 0;
  for (const program& p : s.programs) {
    if (!p.about.waits) continue;
    ++waiting;
    const checker::verdict v = p.explore({});
    EXPECT_EQ(v.outcome, checker::outcome::ok) << p.about.name << ": " << v.message;
    EXPECT_EQ(v.deadlocked, 0U) << p.about.name;
  }
  EXPECT_EQ(waiting, 7U);
}

}  // namespace
}  // namespace licit::suites
