/// The help of every command: what each option does, with its default and range.
#include <string>

#include <gtest/gtest.h>

#include "command.hpp"
#include "progress.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;

TEST(Help, NamesExitStatuses) {
  for (const char* command : {"verify", "replay", "merge", "trace", "audit", "prove", "litmus", "gallery", "check"}) {
    const finished f = licit(std::string(command) + " --help");
    EXPECT_EQ(f.status, 0) << command;
    EXPECT_TRUE(contains(f.output, "Exit status: 0 everything is as expected")) << f.output;
  }
}

TEST(Help, HasDefaultsAndRanges) {
  const finished f = licit("verify --help");
  for (const char* part : {"--depth D:INT in [1 - 100]=3", "=50000000", "PCT depth d", "one per processor",
                           "(default: both)", "--seed N:"}) {
    EXPECT_TRUE(contains(f.output, part)) << part << "\n" << f.output;
  }
  EXPECT_FALSE(contains(f.output, "growth_two_thieves")) << "a list of every program: " << f.output;
}

TEST(Prove, PrintsTheStepsOfAStructure) {
  const finished f = licit("prove --structure wake-up --steps");
  EXPECT_EQ(f.status, 0);
  for (const char* part :
       {"wake-up: 63 steps, 24 points", "claim.take won > unpark.swap", "behind look.fence, seq_cst"}) {
    EXPECT_TRUE(contains(f.output, part)) << part << "\n" << f.output;
  }
  EXPECT_FALSE(contains(f.output, "steal.claim")) << "only this structure: " << f.output;
  EXPECT_EQ(licit("prove --structure wake-up --mutant nothing").status, 2);
}

TEST(Help, ACommandThatThereIsNotIsNamed) {
  const finished f = licit("verfy --all");
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "there is no command 'verfy'; `licit --help` lists the commands")) << f.output;
  EXPECT_EQ(licit("").status, 2);
}

TEST(Help, OfAVersion) { EXPECT_EQ(licit("--version").status, 0); }

TEST(Progress, SaysHowMuchIsLeft) {
  EXPECT_EQ(licit::tool::progress_text(0, 10, 3, "all"), "[........................]   0 %  all");
  EXPECT_EQ(licit::tool::progress_text(5, 10, 30, "parker"), "[############............]  50 %  30 s left  parker");
  EXPECT_EQ(licit::tool::progress_text(1, 10, 60, ""), "[##......................]  10 %  9 min left  ");
  EXPECT_EQ(licit::tool::progress_text(11, 10, 60, "x"), "[########################] 100 %  0 s left  x");
}

}  // namespace
