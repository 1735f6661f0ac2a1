/// The matrix as a whole: totals, what is uncaught, and results of earlier runs.
#include "machine/matrix/results.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/run.hpp"

namespace {

namespace matrix = licit::matrix;
using matrix::cell;
using matrix::finding;
using matrix::kind;
using matrix::results;

const cell caught{
    .found = finding::caught, .executions = 5, .seeds = 2, .caught_by = 1, .program = "p", .what = "race"};
const cell missed{.found = finding::not_caught, .executions = 100, .seconds = 0.25, .complete = true};

results some() {
  results r{.version = "1",
            .budget = "ci",
            .judged = {{"s", {.code = "c1", .clients = "c2", .made = "today"}}},
            .columns = {{"x", "X", "by x"}, {"y", "Y", "by y"}}};
  const auto add = [&](const char* name, kind k, const cell& by_x, const cell& by_y) {
    r.rows.push_back(
        {.of = {.structure = "s", .name = name, .what = k, .says = "weaker"}, .cells = {{"x", by_x}, {"y", by_y}}});
  };
  add("right", kind::control, missed, missed);
  add("one", kind::ordering, caught, missed);
  add("two", kind::logic, missed, matrix::cannot_see("no y"));
  add("three", kind::ordering, missed, matrix::not_run("not built"));
  return r;
}

TEST(Results, AreAddedUp) {
  const auto x = total_of(some(), "x");
  EXPECT_EQ(x.caught, 1U);
  EXPECT_EQ(x.not_caught, 2U);
  EXPECT_EQ(x.clean, 1U);
  const auto y = total_of(some(), "y");
  EXPECT_EQ(y.cannot_see, 1U);
  EXPECT_EQ(y.not_run, 1U);
  EXPECT_EQ(total_of(some(), "z").not_run, 4U);
}

TEST(Results, NameWhatNobodyCaught) {
  const results r = some();
  ASSERT_EQ(uncaught(r).size(), 2U);
  EXPECT_EQ(uncaught(r).front()->of.name, "two");
  EXPECT_TRUE(false_alarms(r).empty());
}

TEST(Results, SayWhyAColumnMissedWhatItMissed) {
  results r = some();
  r.columns.push_back({"exhaustive", "", ""});
  r.rows[1].cells["exhaustive"] = caught;
  r.rows[1].cells["exhaustive"].only = "load buffering";
  const auto by_y = matrix::missed(r, "y");
  ASSERT_EQ(by_y.size(), 2U);  // not the control, not what was not run
  EXPECT_EQ(by_y[0], "s/one: it takes load buffering");
  EXPECT_EQ(by_y[1], "s/two: no y");
  const auto by_x = matrix::missed(r, "x");
  ASSERT_EQ(by_x.size(), 2U);
  EXPECT_EQ(by_x[0], "s/two: not explained");
  EXPECT_EQ(by_x[1], "s/three: not explained");
}

TEST(Results, NameWhoComplainsOfAControl) {
  results r = some();
  r.rows.front().cells["y"] = caught;
  ASSERT_EQ(false_alarms(r).size(), 1U);
  EXPECT_EQ(false_alarms(r).front(), "s/right by y");
  EXPECT_EQ(total_of(r, "y").false_alarms, 1U);
  EXPECT_TRUE(excused_alarms(r).empty());
  r.rows.front().cells["y"].excuse = "y knows no fences";
  EXPECT_TRUE(false_alarms(r).empty());
  ASSERT_EQ(excused_alarms(r).size(), 1U);
  EXPECT_EQ(excused_alarms(r).front(), "s/right by y: y knows no fences");
}

TEST(Results, ComeBackFromJson) {
  const results r = some();
  const results again = matrix::read_results(to_json(r), "it");
  EXPECT_EQ(to_json(again), to_json(r));
  EXPECT_EQ(again.rows[1].find("x")->what, "race");
  EXPECT_TRUE(again.rows[0].find("x")->complete);
}

TEST(Results, OfEarlierRunsAreTakenOver) {
  results r = some();
  for (auto& each : r.rows) each.cells.clear();
  r.rows[1].of.says = "another change";
  EXPECT_EQ(take_over(r, some()), 5U);  // not of the changed row, not what was not run
  EXPECT_NE(r.rows[0].find("x"), nullptr);
  EXPECT_EQ(r.rows[1].find("x"), nullptr);
  EXPECT_EQ(r.rows[3].find("y"), nullptr);
}

TEST(Results, OfOtherCodeAreNotTakenOverUnlessAskedFor) {
  results now = some();
  for (auto& each : now.rows) each.cells.clear();
  now.judged["s"].code = "edited";
  EXPECT_EQ(take_over(now, some()), 0U);
  EXPECT_EQ(take_over(now, some(), true), 7U);
}

TEST(Results, AreTakenOverWithTheDayOfTheirRun) {
  results now = some();
  now.judged["s"].made = "tomorrow";
  take_over(now, some());
  EXPECT_EQ(now.judged["s"].made, "today");
}

/// Everything that the record keeps.
TEST(Record, ComesBack) {
  results r = some();
  r.columns[1].machine = "a big one";
  cell& found = r.rows[1].cells["x"];
  found.reason = "a dependency orders it: by the plugin";
  r.rows[2].cells["x"].seeds = 3;
  r.rows[1].cells["y"] = {.found = finding::caught, .executions = 9, .program = "p"};
  r.rows[1].cells["y"].only = "load buffering";
  const std::string text = to_record(r);
  const results again = matrix::read_results(text, "it");
  EXPECT_EQ(to_record(again), text);
  EXPECT_EQ(again.columns[1].machine, "a big one");
  EXPECT_EQ(again.judged.at("s").code, "c1");
  EXPECT_EQ(again.judged.at("s").made, "today");
  const cell& x = *again.rows[1].find("x");
  EXPECT_EQ(x.executions, 5U);
  EXPECT_EQ(x.seeds, 2U);
  EXPECT_EQ(x.caught_by, 1U);
  EXPECT_EQ(x.reason, "a dependency orders it") << "what stands behind the colon is left out";
  EXPECT_EQ(again.rows[1].find("y")->program, "p");
  EXPECT_EQ(again.rows[1].find("y")->only, "load buffering");
  EXPECT_EQ(again.rows[2].find("x")->seeds, 3U);
  EXPECT_TRUE(again.rows[0].find("x")->complete);
  EXPECT_EQ(again.rows[2].find("y")->found, finding::cannot_see);
}

TEST(Record, NamesTheLineThatIsWrong) {
  const auto refused = [](std::string text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
    try {
      matrix::read_results(text, "it");
    } catch (const std::runtime_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  const std::string text = to_record(some());
  EXPECT_EQ(refused(text, "record 2", "record 9"), "it, line 1: is no 'licit kill matrix, record 2'");
  EXPECT_NE(refused(text, "+5 1/2", "=5 1/2").find(": '=5 1/2' is no cell"), std::string::npos);
  EXPECT_NE(refused(text, "+5 1/2", "+5 1/2 z").find(": there is no remark 'z'"), std::string::npos);
  EXPECT_NE(refused(text, "+5 1/2", "+five").find(": 'five' is no number"), std::string::npos);
  EXPECT_NE(refused(text, "o one | weaker | ", "o one | ").find(": not a cell for each column"), std::string::npos);
  EXPECT_NE(refused(text, "budget ci", "buget ci").find("line 4: 'buget' is unknown"), std::string::npos);
}

TEST(Results, SayOnWhichMachineAColumnRan) {
  results r = some();
  r.columns[1].machine = "a big one";
  EXPECT_EQ(r.columns[0].in_full(), "by x");
  EXPECT_EQ(r.columns[1].in_full(), "by y; on a big one");
  for (const std::string& page : {markdown(r), html(r)}) {
    EXPECT_NE(page.find("by y; on a big one"), std::string::npos) << page;
  }
  const results again = matrix::read_results(to_json(r), "it");
  EXPECT_EQ(again.columns[1].machine, "a big one");
  results later = some();
  take_over(later, again);
  EXPECT_EQ(later.columns[0].machine, "");
  EXPECT_EQ(later.columns[1].machine, "a big one");
}

TEST(Results, AreOfTheMachineThatRanLast) {
  results r = some();
  r.columns[0].machine = "an old one";
  r.columns[1].machine = "an old one";
  const auto ran = [](const matrix::row&, const matrix::budget&, std::string_view) { return missed; };
  const auto did_not = [](const matrix::row&, const matrix::budget&, std::string_view) {
    return matrix::not_run("no");
  };
  const matrix::column x{.name = "x", .title = {}, .how = {}, .machine = "a new one", .judge = ran};
  const matrix::column y{.name = "y", .title = {}, .how = {}, .machine = "a new one", .judge = did_not};
  matrix::fill(r, {{.row = 0, .by = &x}, {.row = 0, .by = &y}}, {}, 1, [](const auto&) {});
  EXPECT_EQ(r.columns[0].machine, "a new one");
  EXPECT_EQ(r.columns[1].machine, "an old one");
}

TEST(Results, OfAnotherFormAreRefused) {
  const auto refused = [](const std::string& text) {
    try {
      matrix::read_results(text, "it");
    } catch (const std::runtime_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refused("{"), "it: is no JSON, from byte 2");
  EXPECT_EQ(refused("[]"), "it: is no kill matrix");
  EXPECT_EQ(refused(R"({"form": "licit kill matrix", "form_version": 9})"),
            "it: is of form 9; this command reads form 2");
  std::string other = to_json(some());
  other.replace(other.find("not caught"), 10, "overlooked");
  EXPECT_EQ(refused(other), "it: has an unknown word 'overlooked'");
  EXPECT_NE(refused(R"({"form": "licit kill matrix", "form_version": 2})").find("licit"), std::string::npos);
}

/// Cells in words.

using licit::matrix::brief;
using licit::matrix::cell;
using licit::matrix::counted;
using licit::matrix::finding;
using licit::matrix::in_full;

const cell example{.found = finding::caught,
                   .executions = 12'345,
                   .seconds = 2,
                   .seeds = 3,
                   .caught_by = 2,
                   .program = "two_items",
                   .what = "data race"};

TEST(Cells, InAFewCharacters) {
  EXPECT_EQ(brief(&example, false), "12.3 k (2/3)");
  EXPECT_EQ(brief(&example, true), "ALARM 12.3 k (2/3)");
  const cell none{.found = finding::not_caught, .executions = 999, .complete = true};
  EXPECT_EQ(brief(&none, false), "– 999 (all)");
  EXPECT_EQ(brief(&none, true), "ok 999 (all)");
  const cell hang{.found = finding::caught, .seconds = 3.2, .seeds = 1, .caught_by = 1};
  EXPECT_EQ(brief(&hang, false), "3 s");
  EXPECT_EQ(brief(nullptr, false), "");
}

TEST(Cells, InSentences) {
  EXPECT_EQ(in_full(&example, false),
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
