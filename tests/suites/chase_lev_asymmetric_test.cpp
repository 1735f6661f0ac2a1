/// Asymmetric fences where the kernel refuses them: full fences on both sides, which are those of the symmetric table.
#include "suites/chase_lev_asymmetric.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "suites/structure.hpp"

namespace licit::suites {
namespace {

using checker::outcome;
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

  std::vector<program> programs;
};

TEST_F(FullFences, AreEnough) {
  for (const program& p : programs) {
    if (p.about.name == "crowd") continue;  // 700,000 executions, as with the symmetric fences
    const checker::verdict v = p.explore({});
    EXPECT_EQ(v.outcome, outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
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
