/// The run queue: its table is minimal, its broken algorithms are found without ghosts, and a bit more is wide enough.
#include "suites/run_queue.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "suites/structure.hpp"

namespace licit::suites {
namespace {

using checker::outcome;
using checker::release_sequences;

constexpr std::array rules{release_sequences::cxx20, release_sequences::cxx11};

// Below acquire or release there is relaxed only. Each mutant is caught, so no row is stronger than it need be.
TEST(RunQueue, HasAMutantForEveryRowThatIsNotRelaxed) {
  for (const row& r : run_queue_orders.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    const bool weakened = std::ranges::any_of(run_queue_mutants, [&](const mutant& m) {
      return m.what.site == r.site && m.what.how == change::weaken && m.what.success == order::relaxed;
    });
    EXPECT_EQ(ordered, weakened) << r.site;
    EXPECT_TRUE(r.success != order::acq_rel && r.success != order::seq_cst) << r.site;
  }
}

// Ghosts stand for what the model does not show; these bugs it shows.
TEST(RunQueue, BrokenAlgorithmsAreCaughtWithoutGhosts) {
  std::vector<program> broken;
  detail::program_list list{broken};
  run_queue_suite::broken(list);
  for (const program& p : broken) {
    for (const release_sequences rule : rules) {
      EXPECT_EQ(p.explore({.sequences = rule, .ghosts = false}).outcome, outcome::violation) << p.about.name;
    }
  }
}

// The index of three bits is wrong by its width alone.
TEST(RunQueue, IndexWithOneBitMoreDoesNotComeRound) {
  const checker::verdict v = detail::program_list::made<four_bits_client>(four_bits_lines[0]).explore({});
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ(v.blocked, 0U);
}

}  // namespace
}  // namespace licit::suites
