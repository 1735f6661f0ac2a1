/// The matrix as a whole: totals, what is uncaught, and results of earlier runs.
#include "machine/matrix/results.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "machine/matrix/json.hpp"
#include "machine/matrix/pages.hpp"
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
  results r{.version = "1", .digest = "d", .budget = "ci", .columns = {{"x", "X", "by x"}, {"y", "Y", "by y"}}};
  const auto add = [&](const char* name, kind k, const cell& by_x, const cell& by_y) {
    r.rows.push_back(
        {.of = {.structure = "s", .name = name, .what = k, .says = "weaker"}, .cells = {{"x", by_x}, {"y", by_y}}});
  };
  add("right", kind::control, missed, missed);
  add("one", kind::ordering, caught, missed);
  add("two", kind::logic, missed, matrix::cannot_see("no y"));
  add("three", kind::ordering, missed, matrix::not_run("not built"));
  r.rows.back().equivalent = "the same code";
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
  ASSERT_EQ(uncaught(r).size(), 1U);
  EXPECT_EQ(uncaught(r).front()->of.name, "two");
  ASSERT_EQ(equivalent(r).size(), 1U);
  EXPECT_EQ(equivalent(r).front()->of.name, "three");
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
  EXPECT_EQ(by_x[1], "s/three: equivalent: the same code");
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
  EXPECT_EQ(r.rows[3].equivalent, "the same code");
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
            "it: is of form 9; this command reads form 1");
  std::string other = to_json(some());
  other.replace(other.find("not caught"), 10, "overlooked");
  EXPECT_EQ(refused(other), "it: has an unknown word 'overlooked'");
  EXPECT_NE(refused(R"({"form": "licit kill matrix", "form_version": 1})").find("licit"), std::string::npos);
}

}  // namespace
