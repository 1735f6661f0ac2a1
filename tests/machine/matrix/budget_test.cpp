/// How much a column may spend.
#include "machine/matrix/budget.hpp"

#include <gtest/gtest.h>

#include "machine/matrix/row.hpp"

namespace {

using licit::matrix::budget;
using licit::matrix::row;

TEST(Budget, OfAControlIsAtLeastSoManyExecutionsByAllSeedsTogether) {
  row control;
  control.what = licit::matrix::kind::control;
  for (const std::string& name : licit::matrix::budget_names()) {
    const budget& all = licit::matrix::find_budget(name);
    const budget own = budget_for(control, all);
    for (const std::uint64_t by_a_seed : {own.sample, own.fuzz, own.stress}) {
      EXPECT_GE(by_a_seed * own.seeds, all.control) << name;
    }
    EXPECT_GE(own.sample, all.sample) << name;
    EXPECT_GE(own.stress_seconds, all.stress_seconds) << name;
  }
  EXPECT_GE(licit::matrix::find_budget("normal").control, 100'000U);
}

TEST(Budget, WithoutSeedsIsOneToo) {
  row control;
  control.what = licit::matrix::kind::control;
  budget none{};
  none.control = 7;
  EXPECT_EQ(budget_for(control, none).sample, 7U);
}

TEST(Budget, OfAMutantIsWhatItsNameSays) {
  const budget& all = licit::matrix::find_budget("normal");
  const budget own = budget_for(row{}, all);
  EXPECT_EQ(own.sample, all.sample);
  EXPECT_EQ(own.stress_seconds, all.stress_seconds);
}

}  // namespace
