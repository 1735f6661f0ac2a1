/// Cells in words.
#include <gtest/gtest.h>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/column.hpp"
#include "machine/matrix/results.hpp"

namespace {

using licit::matrix::brief;
using licit::matrix::cell;
using licit::matrix::counted;
using licit::matrix::finding;
using licit::matrix::in_full;

const cell some{.found = finding::caught,
                .executions = 12'345,
                .seconds = 2,
                .seeds = 3,
                .caught_by = 2,
                .program = "two_items",
                .what = "data race"};

TEST(Cells, InAFewCharacters) {
  EXPECT_EQ(brief(&some, false), "12.3 k (2/3)");
  EXPECT_EQ(brief(&some, true), "ALARM 12.3 k (2/3)");
  const cell none{.found = finding::not_caught, .executions = 999, .complete = true};
  EXPECT_EQ(brief(&none, false), "– 999 (all)");
  EXPECT_EQ(brief(&none, true), "ok 999 (all)");
  const cell hang{.found = finding::caught, .seconds = 3.2, .seeds = 1, .caught_by = 1};
  EXPECT_EQ(brief(&hang, false), "3 s");
  EXPECT_EQ(brief(nullptr, false), "");
}

TEST(Cells, InSentences) {
  EXPECT_EQ(in_full(&some, false),
            "caught after 12345 executions, 2.0 s (the median of 2 of 3 seeds) in two_items: data race");
  const cell blind = licit::matrix::cannot_see("it has no fences");
  EXPECT_EQ(in_full(&blind, false), "cannot see it: it has no fences");
}

TEST(Cells, NumbersAreShort) {
  EXPECT_EQ(counted(950), "950");
  EXPECT_EQ(counted(1'000), "1.0 k");
  EXPECT_EQ(counted(4'520'000), "4.5 M");
}

TEST(Cells, TheMedianIsTheLowerMiddle) {
  EXPECT_EQ(licit::matrix::median({7}), 7U);
  EXPECT_EQ(licit::matrix::median({9, 1}), 1U);
  EXPECT_EQ(licit::matrix::median({9, 1, 5}), 5U);
}

}  // namespace

/// How much a column may spend.

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
