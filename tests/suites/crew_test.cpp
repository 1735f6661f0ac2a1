/// The crew: many samples of what is too large to explore.
#include "suites/crew.hpp"

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

namespace licit::suites {
namespace {

TEST(Crew, ManySamplesAreRight_long) {
  unsigned sampled = 0;
  for (const structure& s : structures()) {
    if (s.name != crew_orders.structure) continue;
    s.reset();
    for (const program& p : s.sampled) {
      for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
        const checker::verdict v = p.explore({.how = how, .sample = {.executions = 2'000'000}});
        EXPECT_EQ(v.outcome, checker::outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
        ++sampled;
      }
    }
  }
  EXPECT_NE(sampled, 0U);
}

}  // namespace
}  // namespace licit::suites
