/// `licit trace`: what it reads, what it refuses, and what the page holds. In a browser: trace_page_test.py.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <licit/scheduler.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "trace/timeline.hpp"

namespace {

using licit::tool::timeline;
using licit_test::contains;
using licit_test::finished;
using licit_test::licit;
using nlohmann::json;
namespace fs = std::filesystem;

timeline read(const std::string& text) {
  std::istringstream in(text);
  return licit::tool::read_timeline(in, "t.json");
}

std::string refused(const std::string& text) {
  try {
    (void)read(text);
    return "accepted";
  } catch (const std::runtime_error& why) {
    return why.what();
  }
}

/// Events, a line each from the second one on.
std::string trace_of(const std::vector<std::string>& events) {
  std::string text = "{\"traceEvents\": [";
  for (const std::string& each : events) text += (&each == &events.front() ? "\n" : ",\n") + each;
  return text + "\n]}\n";
}

std::string bar(const std::string& kind, unsigned worker, double begin, double long_, const std::string& args = "") {
  return json{{"ph", "X"},     {"cat", kind}, {"name", kind}, {"pid", 1},
              {"tid", worker}, {"ts", begin}, {"dur", long_}, {"args", json::parse("{" + args + "}")}}
      .dump();
}
std::string moment(const std::string& name, unsigned worker, double at, const std::string& args) {
  return json{{"ph", "i"},     {"name", name}, {"pid", 1},
              {"tid", worker}, {"ts", at},     {"args", json::parse("{" + args + "}")}}
      .dump();
}

TEST(Timeline, BarsKnowWhatTheyLieWithin) {
  const timeline all = read(trace_of({bar("half", 0, 3, 1), bar("wait", 0, 2, 4), bar("task", 0, 1, 9.001),
                                      bar("task", 0, 10.001, 1, R"("task": "0x7f00", "still": true)")}));
  ASSERT_EQ(all.lanes.size(), 1U);
  EXPECT_EQ(all.lanes[0].name, "worker 0");
  const auto& bars = all.lanes[0].bars;
  ASSERT_EQ(bars.size(), 4U);
  for (std::size_t i = 0; i != 3; ++i) EXPECT_EQ(bars[i].depth, i);
  EXPECT_EQ(bars[0].begin, 1000U);
  EXPECT_EQ(bars[0].end, 10001U);
  EXPECT_EQ(bars[3].depth, 0U);
  EXPECT_EQ(bars[3].of, 0x7f00U);
  EXPECT_TRUE(bars[3].still);
  EXPECT_EQ(all.end, 11001U);
  EXPECT_EQ(all.events, 4U);
}

TEST(Timeline, ArrowsLeadFromVictimsAndWakersAndThieves) {
  const timeline all = read(trace_of(
      {bar("sleep", 1, 0, 10), moment("wakes", 0, 4, R"("worker": 1)"), bar("sleep", 2, 5, 5),
       moment("wakes", 0, 4.5, R"("worker": 2)"),  // it recorded its sleep later
       moment("steal", 1, 11, R"("items": 7, "from": 0)"), bar("half", 1, 12, 3, R"("half": "0x10", "from": 0)"),
       bar("half", 1, 20, 3, R"("half": "0x10", "from": 0)"),  // the address again
       bar("wait", 0, 14, 2, R"("half": "0x10")"), moment("sends", 0, 30, R"("worker": 2)")}));
  std::vector<std::vector<std::uint64_t>> arrows;
  for (const timeline::arrow& a : all.arrows) {
    arrows.push_back({static_cast<std::uint64_t>(a.kind), a.from, a.to, a.begin, a.end, a.items});
  }
  constexpr auto steal = static_cast<std::uint64_t>(timeline::arrow_kind::steal);
  constexpr auto wake = static_cast<std::uint64_t>(timeline::arrow_kind::wake);
  constexpr auto send = static_cast<std::uint64_t>(timeline::arrow_kind::send);
  constexpr auto completion = static_cast<std::uint64_t>(timeline::arrow_kind::completion);
  EXPECT_EQ(arrows, (std::vector<std::vector<std::uint64_t>>{{wake, 0, 1, 4000, 10000, 1},
                                                             {wake, 0, 2, 4500, 10000, 1},
                                                             {steal, 0, 1, 11000, 11000, 7},
                                                             {steal, 0, 1, 12000, 12000, 1},
                                                             {completion, 1, 0, 15000, 16000, 1},
                                                             {steal, 0, 1, 20000, 20000, 1},
                                                             {send, 0, 2, 30000, 30000, 1}}));
}

TEST(Timeline, TimersAndTheDriverAreMoments) {
  const timeline all =
      read(trace_of({moment("takes the driver", 0, 1, ""), moment("fires timers", 0, 2, R"("items": 3)"),
                     moment("gives the driver away", 0, 3, "")}));
  ASSERT_EQ(all.lanes.size(), 1U);
  const auto& moments = all.lanes[0].moments;
  ASSERT_EQ(moments.size(), 3U);
  EXPECT_EQ(moments[0].kind, timeline::moment_kind::driver_taken);
  EXPECT_EQ(moments[1].kind, timeline::moment_kind::timers);
  EXPECT_EQ(moments[1].number, 3U);
  EXPECT_EQ(moments[2].kind, timeline::moment_kind::driver_given);
  EXPECT_TRUE(all.left_out.empty());
}

TEST(Timeline, WhatIsUnknownIsCounted) {
  const timeline all = read(trace_of({R"({"ph": "C", "name": "x"})", R"({"ph": "C", "pid": "any"})",
                                      R"({"ph": "X", "cat": "gc", "tid": 1})", R"({"ph": "X", "name": "old"})",
                                      R"({"ph": "i", "name": "tea"})", R"({"ph": "M", "name": "thread_sort_index"})",
                                      moment("steal", 0, 1, R"("from": 9)"), bar("task", 0, 1, 1)}));
  using left_out = decltype(all.left_out);
  EXPECT_EQ(all.left_out, (left_out{{"of phase 'C'", 2},
                                    {"bars of category 'gc'", 1},
                                    {"bars without a category", 1},
                                    {"moments 'tea'", 1},
                                    {"metadata 'thread_sort_index'", 1},
                                    {"arrows of a worker without a track", 1}}));
  EXPECT_EQ(all.events, 2U);
}

TEST(Timeline, ABareListAndOtherMembersAreRead) {
  EXPECT_EQ(read("[" + bar("task", 3, 1, 1) + "]").lanes[0].name, "worker 3");
  EXPECT_EQ(read(R"({"a": [{"traceEvents": 1}], "traceEvents": [], "b": {"c": [[]]}})").events, 0U);
  EXPECT_EQ(read(R"([{"ph": "X", "x": {"ph": 3, "args": [1]}, "cat": "task", "name": "n", "ts": 1, "dur": 1, "tid": 0,
                      "args": {"task": "0x1", "deep": {"task": 5}}}])")
                .lanes[0]
                .bars[0]
                .of,
            1U);
}

TEST(Timeline, ARefusalNamesLineAndEvent) {
  const std::string good = bar("task", 0, 1, 1);
  const auto third = [&](const std::string& bad) { return refused(trace_of({good, bad})); };
  const std::string here = "t.json: line 3: event 2: ";
  EXPECT_EQ(third(R"({"name": "x"})"), here + "'ph' is missing");
  EXPECT_EQ(third(R"({"ph": 1})"), here + "'ph' is not a string");
  EXPECT_EQ(third(R"({"ph": "X", "cat": "task", "ts": 1, "tid": 0})"), here + "'dur' is missing");
  EXPECT_EQ(third(R"({"ph": "X", "cat": "task", "ts": "1", "tid": 0})"), here + "'ts' is not a number");
  EXPECT_EQ(third(R"({"ph": "X", "cat": "task", "ts": -1, "tid": 0})"),
            here + "'ts' is -1, and must be from 0 to 9000000000000");
  EXPECT_EQ(third(R"({"ph": "X", "cat": "task", "ts": 1, "dur": 1e300, "name": "", "tid": 0})"),
            here + "'dur' is 1e+300, and must be from 0 to 9000000000000");
  EXPECT_EQ(third(R"({"ph": "X", "cat": "task", "ts": 1, "dur": 1, "name": ""})"), here + "'tid' is missing");
  EXPECT_EQ(third(bar("task", 0, 1, 1, R"("task": "tea")")),
            here + "'args.task' is \"tea\", and must be an address such as 0x7f00");
  EXPECT_EQ(third(moment("steal", 0, 1, R"("from": [])")), here + "'args.from' is not a number");
  EXPECT_EQ(third("[]"), "t.json: line 3: event 2 is not an object");
  EXPECT_EQ(third("5"), "t.json: line 3: event 2 is not an object");
  EXPECT_EQ(refused(R"({"traceEvents": 5})"), "t.json: line 1: 'traceEvents' is not a list");
  EXPECT_EQ(refused("{}"), "t.json: has no list 'traceEvents'");
  EXPECT_EQ(refused("5"), "t.json: has no list 'traceEvents'");
}

TEST(Timeline, WhatIsNotJsonIsRefusedWithItsPlace) {
  const std::string whole = trace_of({bar("task", 0, 1, 1), bar("task", 0, 3, 1)});
  for (std::size_t n = 0; n + 2 < whole.size(); ++n) {
    const std::string why = refused(whole.substr(0, n));
    ASSERT_TRUE(contains(why, "t.json: not JSON: parse error at line ")) << n << ": " << why;
  }
  EXPECT_TRUE(contains(refused(whole.substr(0, whole.size() - 6)), "at line 3, column "));
  EXPECT_TRUE(contains(refused(whole + "x"), "t.json: not JSON: parse error at line 5, column 1"));
  EXPECT_TRUE(contains(refused("[\"\xff\"]"), "not JSON: parse error at line 1"));
}

class TracePage : public testing::Test {
 protected:
  const std::string stem = fs::path(testing::TempDir()) / ("licit-trace-page-" + std::to_string(::getpid()));
  const std::string file = stem + ".json";
  const std::string page = stem + ".html";

  ~TracePage() override {
    fs::remove(file);
    fs::remove(page);
  }
  void write(const std::string& text) const { std::ofstream(file) << text; }
  [[nodiscard]] std::string written() const {
    std::ifstream in(page, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// What a script of the page holds.
  [[nodiscard]] std::string script(const std::string& id) const {
    const std::string all = written();
    const std::string mark = "id=\"" + id + "\">";
    const std::size_t begin = all.find(mark) + mark.size();
    return all.substr(begin, all.find("</script>", begin) - begin);
  }
};

TEST_F(TracePage, OfASchedulerHoldsItsTasks) {
  {
    licit::scheduler all({.workers = 2, .thread_name = "a</script>b", .trace_events = 4096});
    for (int i = 0; i != 100; ++i) all.spawn_with({.name = "</script><b>"}, [] {}).get();
    EXPECT_TRUE(all.shutdown().complete());
    std::ofstream out(file);
    all.write_trace(out);
  }
  const finished f = licit("trace " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, page + ": 2 workers, ")) << f.output;
  const json heading = json::parse(script("heading"));
  EXPECT_EQ(heading["title"], "a</script>b");
  EXPECT_EQ(heading["lanes"].size(), 2U);
  EXPECT_NE(std::ranges::find(heading["names"], "</script><b>"), heading["names"].end());
  EXPECT_GE(heading["events"], 100);
  EXPECT_EQ(heading["leftOut"], json::object());
  EXPECT_EQ(script("data").find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
            std::string::npos);
}

TEST_F(TracePage, NeedsNoOtherFileAndNoNetwork) {
  write(trace_of({bar("task", 0, 1, 1)}));
  EXPECT_EQ(licit("trace " + file + " -o " + page).status, 0);
  const std::string all = written();
  for (const char* other : {"http:", "https:", " src=", " href=", "url(", "@import", "fetch(", "{{"}) {
    EXPECT_FALSE(contains(all, other)) << other;
  }
  EXPECT_TRUE(contains(all, "content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\""));
  EXPECT_TRUE(contains(all, "class Picture"));
}

TEST_F(TracePage, OfNothingAndOfUnknownThingsSaysSo) {
  write(trace_of({R"({"ph": "Q"})"}));
  const finished f = licit("trace " + file + " -o " + page);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "0 workers, 0 events, 0 arrows, 0.000 ms")) << f.output;
  EXPECT_TRUE(contains(f.output, "1 event left out: of phase 'Q'")) << f.output;
  EXPECT_EQ(json::parse(script("heading"))["leftOut"]["of phase 'Q'"], 1);
}

/// What a file says of itself moves no cursor, and fills no screen.
TEST_F(TracePage, OfStrangeNamesPrintsNoControlCharacters) {
  std::vector<std::string> events{R"({"ph": "\u001b[31mRED\n0 events"})",
                                  R"({"ph": ")" + std::string(300, 'w') + R"("})"};
  for (int i = 0; i != 100; ++i) events.push_back(R"({"ph": "z)" + std::to_string(i) + R"("})");
  write(trace_of(events));
  const finished f = licit("trace " + file + " -o " + page);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "1 event left out: of phase '\\x1b[31mRED\\x0a0 events'\n")) << f.output;
  EXPECT_TRUE(contains(f.output, "82 events left out: of 82 other kinds\n")) << f.output;
  EXPECT_EQ(std::ranges::count(f.output, '\n'), 22) << f.output;
  EXPECT_FALSE(contains(f.output, std::string(81, 'w')));
}

TEST_F(TracePage, WhatIsWrongIsStatusTwoAndNamesTheFile) {
  const auto expect_refused = [](const std::string& arguments, const std::string& why) {
    const finished f = licit("trace " + arguments);
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, why)) << f.output;
  };
  expect_refused("", "file is required");
  expect_refused("/nonexistent/t.json", "/nonexistent/t.json: cannot read: No such file or directory");
  expect_refused(testing::TempDir(), "cannot read: it is a directory");
  write("{");
  expect_refused(file, file + ": not JSON: parse error at line 1, column 2");
  EXPECT_FALSE(fs::exists(page)) << "nothing is written of what cannot be read";
  for (const auto& [event, why] :
       {std::pair{R"({"ph": "X", "cat": "task", "name": "a", "ts": 9e12, "dur": 1, "tid": 0})",
                  "'ts' and 'dur' end after 9000000000000"},
        {R"({"ph": "i", "name": "steal", "ts": 1, "tid": 0.5})", "'tid' is 0.5, and must be a whole number"}}) {
    write(trace_of({event}));
    expect_refused(file, why);
  }
  write("[]");
  expect_refused(file + " -o /nonexistent/t.html", "cannot write /nonexistent/t.html: No such file or directory");
  expect_refused(file + " -o " + file, file + ": is the trace itself");
  EXPECT_EQ(fs::file_size(file), 2U);
}

}  // namespace
