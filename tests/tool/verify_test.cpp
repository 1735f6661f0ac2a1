#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace {

TEST(Verify, ExactCountsOfRelacysFullSearch) {
  const finished f = licit("verify --checker relacy --program last_item overwrite");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "43725")) << f.output;
  EXPECT_TRUE(contains(f.output, "1979")) << f.output;
  EXPECT_TRUE(contains(f.output, "2 verdicts, all as expected")) << f.output;
}

TEST(Verify, ExactCountsOfTheExhaustiveChecker) {
  const finished f = licit("verify --checker exhaustive --program last_item two_items two_thieves");
  EXPECT_EQ(f.status, 0) << f.output;
  for (const char* row :
       {"none, c++20                8 ", "none, c++11               74 ", "none, c++20            16789 "}) {
    EXPECT_TRUE(contains(f.output, row)) << row << "\n" << f.output;
  }
  EXPECT_TRUE(contains(f.output, "6 verdicts, all as expected")) << f.output;
}

TEST(Verify, TheRuleOfReleaseSequencesDecidesPopReserve) {
  const finished f = licit("verify --checker exhaustive --program two_items --break 'pop.reserve relaxed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "violation  NOT AS EXPECTED (ok)")) << f.output;
  EXPECT_TRUE(contains(f.output, "none, c++11               74     0.00  ok")) << f.output;
}

TEST(Verify, BrokenCodeIsStatusOneWithAHistoryBySiteName) {
  const finished f = licit("verify --program two_items --break 'steal.fence removed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "NOT AS EXPECTED")) << f.output;
  EXPECT_TRUE(contains(f.output, "steal.claim")) << f.output;
  EXPECT_TRUE(contains(f.output, "pop.reserve")) << f.output;
  EXPECT_FALSE(contains(f.output, "steal.fence ")) << "the fence that is not there: " << f.output;
}

TEST(Verify, ACaughtMutantIsStatusZeroWithItsHistory) {
  const finished f = licit("verify --checker relacy --mutant 'steal.claim a blind store'");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "violation")) << f.output;
  EXPECT_TRUE(contains(f.output, "steal.claim    writes")) << f.output;
}

TEST(Verify, ALimitIsStatusThreeAndNeverOk) {
  const finished f = licit("verify --program two_thieves --limit 100 --iterations 10");
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(contains(f.output, "stopped after 100 executions")) << f.output;
}

TEST(Verify, BadUsageNamesTheOptionAndItsRange) {
  for (const auto& [arguments, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"verify --iterations 0", "--iterations: Value 0 not in range 1 to 1000000000"},
           {"verify --iterations many", "--iterations"},
           {"verify --program nobody", "--program: nobody not in {"},
           {"verify --checker nobody", "--checker: nobody not in {"},
           {"verify --mutant nobody", "--mutant: nobody not in {"},
           {"verify --limit 0", "--limit"},
           {"verify --frobnicate", "--frobnicate"},
           {"", "subcommand is required"}}) {
    const finished f = licit(arguments);
    EXPECT_EQ(f.status, 2) << arguments;
    EXPECT_TRUE(contains(f.output, message)) << arguments << ": " << f.output;
  }
}

TEST(Verify, AFileThatCannotBeWrittenIsNamed) {
  const finished f = licit("verify --program overwrite --json /nonexistent/v.json");
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "/nonexistent/v.json: No such file or directory")) << f.output;
}

TEST(Verify, JsonRowsHaveTheDocumentedFields) {
  const auto file = std::filesystem::path(testing::TempDir()) / "verdicts.json";
  const finished f =
      licit("verify --checker relacy --program overwrite refill --iterations 500 --json " + file.string());
  ASSERT_EQ(f.status, 0) << f.output;
  std::ifstream in(file);
  const auto rows = nlohmann::json::parse(in);
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) {
    for (const char* key : {"program", "checker", "mode", "executions", "blocked", "seconds", "verdict", "expected"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
    EXPECT_EQ(row["verdict"], "ok");
  }
  EXPECT_EQ(rows[0]["mode"], "exhaustive");
  EXPECT_EQ(rows[1]["mode"], "sampled");
  EXPECT_EQ(rows[2]["executions"], 500);
}

TEST(Verify, ListNamesEveryProgramWithItsProperty) {
  const finished f = licit("verify --list");
  EXPECT_EQ(f.status, 0);
  for (const char* name : {"last_item", "growth", "two_thieves", "pop.reserve relaxed"}) {
    EXPECT_TRUE(contains(f.output, name)) << name;
  }
}

TEST(Verify, SilentInAPipe) {
  const finished f = licit("verify --program overwrite");
  EXPECT_FALSE(contains(f.output, "\x1b")) << "escape sequences in a pipe";
}

}  // namespace
