/// The part of the matrix that each change has to pass, and that it can fail.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "machine/matrix/rows.hpp"
#include "machine/matrix/run.hpp"

namespace {

namespace matrix = licit::matrix;
using matrix::cell;
using matrix::column;
using matrix::finding;
using matrix::kind;
using matrix::results;

const cell clean{.found = finding::not_caught, .executions = 100};

/// Seeds: 0 where nothing is left to chance.
cell caught_after(std::uint64_t n, unsigned by = 0, unsigned of = 0) {
  return {.found = finding::caught, .executions = n, .seeds = of, .caught_by = by, .program = "p"};
}

std::vector<column> two_columns() {
  return {{.name = "sure", .title = "", .how = "", .judge = {}},
          {.name = "lucky", .title = "", .how = "", .judge = {}}};
}

results with(const std::vector<std::pair<const char*, cell>>& mutants) {
  results r;
  r.rows.push_back({.of = {.structure = "s", .name = "right", .what = kind::control}, .cells = {{"sure", clean}}});
  for (const auto& [name, c] : mutants)
    r.rows.push_back({.of = {.structure = "s", .name = name}, .cells = {{"sure", c}}});
  return r;
}

TEST(Check, AsksTheCheapestColumnInTheProgramThatCaughtIt) {
  results record = with({{"one", caught_after(50)}, {"two", caught_after(5)}, {"three", clean}});
  record.rows[1].cells["lucky"] = caught_after(10, 2, 2);
  record.rows[2].cells["lucky"] = caught_after(1, 1, 2);
  const auto by = two_columns();
  const auto all = cheapest(record, record, by);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].by->name, "lucky");
  EXPECT_EQ(all[0].program, "") << "one seed is the same executions only of all programs";
  EXPECT_EQ(all[1].by->name, "sure");
  EXPECT_EQ(all[1].program, "p");
  EXPECT_EQ(all[2].by->name, "sure") << "nobody caught it: it is looked for";
  EXPECT_EQ(all[2].program, "");
  EXPECT_EQ(controls(record, by).size(), 2U) << "by both";
}

TEST(Check, LooksAsFarAsTheRecordDid) {
  results record = with({});
  record.budget = "nightly";
  EXPECT_EQ(budget_of(record).sample, matrix::find_budget("nightly").sample);
  EXPECT_EQ(budget_of(record).seeds, 1U);
  record.budget = "normal, ci";
  EXPECT_EQ(budget_of(record).sample, matrix::find_budget("normal").sample);
}

TEST(Check, IsContentWithTheSame) {
  const results record = with({{"one", caught_after(50)}, {"two", clean}});
  EXPECT_TRUE(complaints(record, record).empty());
}

TEST(Check, ComplainsOfAMutantThatIsNotCaughtAnyMore) {
  const auto all = complaints(with({{"one", clean}}), with({{"one", caught_after(50)}}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], "s/one: was caught once, and is not any more");
}

TEST(Check, ComplainsOfAControlThatIsCaught) {
  results wrong = with({});
  wrong.rows[0].cells["sure"] = caught_after(3);
  const auto all = complaints(wrong, with({}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].starts_with("s/right by sure: FALSE ALARM after 3 executions")) << all[0];
}

/// Two real rows of the parker: the control made wrong, the mutant run without its change.
TEST(Check, NoticesABrokenControlAndAMutantThatIsNone) {
  const column by = matrix::exhaustive_column();
  std::vector<matrix::row> rows;
  for (const matrix::row& r : matrix::all_rows()) {
    if (r.id() == "parker/correct code" || r.id() == "parker/unpark.swap relaxed") rows.push_back(r);
  }
  ASSERT_EQ(rows.size(), 2U);
  const auto run = [&](const std::vector<matrix::row>& these) {
    results r = matrix::blank(these, {by}, "ci", {});
    matrix::fill(r, {{.row = 0, .by = &by}, {.row = 1, .by = &by}}, matrix::find_budget("ci"), 1, [](const auto&) {});
    return r;
  };
  const results record = run(rows);
  EXPECT_TRUE(complaints(record, record).empty());
  std::swap(rows[0].changes, rows[1].changes);
  const auto all = complaints(run(rows), record);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].starts_with("parker/correct code by exhaustive: FALSE ALARM")) << all[0];
  EXPECT_EQ(all[1], "parker/unpark.swap relaxed: was caught once, and is not any more");
}

TEST(Check, ComplainsOfAControlThatWasNotRun) {
  results crashed = with({});
  crashed.rows[0].cells["sure"] = matrix::not_run("signal 11");
  EXPECT_EQ(complaints(crashed, with({})).size(), 1U);
}

TEST(Check, ComplainsOfRowsThatOneSideDoesNotHave) {
  EXPECT_EQ(complaints(with({{"new", caught_after(1)}}), with({})).size(), 1U);
  EXPECT_EQ(complaints(with({}), with({{"gone", caught_after(1)}})).size(), 1U);
}

}  // namespace
