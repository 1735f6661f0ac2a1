#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "checker/litmus/ast.hpp"
#include "report.hpp"

namespace licit::tool {

namespace {

namespace fs = std::filesystem;

struct row {
  std::string file;
  litmus::test test;
  litmus::verdict got;
  std::string error;    ///< that the file could not be read, parsed or run
  unsigned unroll = 0;  ///< the most rounds of a loop

  [[nodiscard]] bool stopped() const { return got.outcome == checker::outcome::limit; }
  /// A program with a race has no meaning in C, so that none is expected where the file does not say so.
  [[nodiscard]] exit_status ended() const {
    if (!error.empty()) return bad_usage;
    if (test.expected && !stopped()) return got.as(*test.expected) ? as_expected : violated;
    if (test.expected) return got.beyond(*test.expected) ? violated : undecided;
    if (!got.race.empty()) return violated;
    const bool claims = test.quantified != litmus::quantifier::exists;
    if (claims && got.holds(test.quantified) == litmus::answer::no) return violated;
    return got.complete() ? as_expected : undecided;
  }
};

std::string_view reached(const row& r) {
  return r.got.reachable() ? "reached" : r.got.complete() ? "not reached" : "not reached so far";
}

/// Where a search ended that is not complete.
std::string bound(const row& r) {
  return r.stopped() ? "the limit of executions (--limit)" : fmt::format("{} rounds of a loop (--unroll)", r.unroll);
}

std::string conclusion(const row& r) {
  switch (r.got.holds(r.test.quantified)) {
    case litmus::answer::yes: return r.got.executions == 0 ? "holds, as there is no complete execution" : "holds";
    case litmus::answer::no: return "does not hold";
    case litmus::answer::unknown: return "not known beyond " + bound(r);
  }
  return "";
}

std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const fs::directory_entry& e : fs::recursive_directory_iterator(path)) {
      if (e.is_regular_file() && e.path().extension() == ".litmus") found.push_back(e.path().string());
    }
    std::ranges::sort(found);
    std::ranges::move(found, std::back_inserter(files));
  }
  return files;
}

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in || fs::is_directory(file)) {
    throw std::runtime_error(file + ": cannot read: " + std::generic_category().message(errno));
  }
  return text;
}

/// Explores the tests of a file. A file that cannot be read is one row, with its error.
std::vector<row> examine(const std::string& file, const litmus::options& search) {
  std::vector<row> rows;
  try {
    for (litmus::test& t : litmus::parse_all(contents(file))) {
      row r{file, std::move(t), {}, {}, search.unroll};
      r.got = litmus::explore(r.test, search);
      if (!r.got.message.empty()) r.error = file + ": " + r.test.name + ": " + r.got.message;
      rows.push_back(std::move(r));
    }
  } catch (const litmus::syntax_error& e) {
    rows.push_back({file, {}, {}, e.in(file)});
  } catch (const std::exception& e) {
    rows.push_back({file, {}, {}, e.what()});
  }
  return rows;
}

std::string text(const litmus::test& t, const std::vector<litmus::value>& state) {
  std::string all;
  for (std::size_t i = 0; i != state.size(); ++i) all += fmt::format("{}={}; ", name(t, t.observed[i]), state[i]);
  return all;
}

bool satisfies(const litmus::test& t, const std::vector<litmus::value>& state) {
  return holds(t.final, [&](const litmus::variable& v) {
    return state[static_cast<std::size_t>(std::ranges::find(t.observed, v) - t.observed.begin())];
  });
}

/// In the words of the test's comment.
std::string expectation(const litmus::expectation& e) {
  return fmt::format("expected is {}, {} executions, {} blocked, {}", e.allowed ? "allowed" : "forbidden", e.executions,
                     e.blocked, e.race ? "a race" : "no race");
}

void print(const row& r) {
  if (!r.error.empty()) {
    fmt::print(stderr, "{}\n", r.error);
    return;
  }
  const litmus::verdict& got = r.got;
  fmt::print("Test {} ({})\n", r.test.name, r.file);
  fmt::print("States {}\n", got.states.size());
  for (const auto& [state, executions] : got.states) {
    fmt::print("{:>8} {}> {}\n", executions, satisfies(r.test, state) ? '*' : ':', text(r.test, state));
  }
  fmt::print("Executions {}, blocked {}{}\n", got.executions, got.blocked, r.stopped() ? ", stopped at the limit" : "");
  if (!got.race.empty()) fmt::print("Race: {}\n", got.race);
  fmt::print("Condition {}: {}, {}\n", name(r.test.quantified), reached(r), conclusion(r));
  if (r.ended() == violated) {
    fmt::print("NOT AS EXPECTED{}\n", r.test.expected    ? ": " + expectation(*r.test.expected)
                                      : got.race.empty() ? ""
                                                         : ": a race, so that the program has no meaning in C");
  }
  fmt::print("\n");
}

std::string_view verdict_of(exit_status s) { return s == as_expected ? "ok" : s == undecided ? "limit" : "violation"; }

/// The keys are always the same. What is not known is null: all but the file and the message of a test that could not
/// be run; what was not found in a search that is not complete, and the counts of one that stopped at the limit.
nlohmann::ordered_json json(const row& r) {
  using nlohmann::ordered_json;
  ordered_json all{{"file", r.file}};
  for (const char* key : {"program", "quantifier", "verdict", "holds", "reachable", "executions", "blocked", "race",
                          "message", "states"}) {
    all[key] = nullptr;
  }
  if (!r.error.empty()) {
    all["message"] = r.error;
    return all;
  }
  all["program"] = r.test.name;
  all["quantifier"] = name(r.test.quantified);
  all["verdict"] = verdict_of(r.ended());
  const litmus::answer holds = r.got.holds(r.test.quantified);
  if (holds != litmus::answer::unknown) all["holds"] = holds == litmus::answer::yes;
  if (r.got.complete() || r.got.reachable()) all["reachable"] = r.got.reachable();
  if (r.got.complete() || !r.got.race.empty()) all["race"] = !r.got.race.empty();
  if (!r.got.race.empty()) {
    all["message"] = r.got.race;
  } else if (!r.got.complete()) {
    all["message"] = "not known beyond " + bound(r);
  }
  if (r.stopped()) return all;
  all["executions"] = r.got.executions;
  all["blocked"] = r.got.blocked;
  all["states"] = ordered_json::array();
  for (const auto& [state, executions] : r.got.states) {
    ordered_json values = ordered_json::object();
    for (std::size_t i = 0; i != state.size(); ++i) values[name(r.test, r.test.observed[i])] = state[i];
    all["states"].push_back({{"state", std::move(values)}, {"executions", executions}});
  }
  return all;
}

void write_json(const std::string& file, const std::vector<row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::ranges::transform(rows, std::back_inserter(all), json);
  std::ofstream out(file);
  out << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

}  // namespace

int litmus(const litmus_options& options) {
  std::vector<row> rows;
  for (const std::string& file : files_of(options.paths)) {
    for (row& r : examine(file, options.search)) {
      print(r);
      rows.push_back(std::move(r));
    }
  }
  const auto count = [&](exit_status s) { return std::ranges::count(rows, s, &row::ended); };
  fmt::print("{} {}: {} as expected, {} not, {} unreadable or malformed, {} not known\n", rows.size(),
             rows.size() == 1 ? "test" : "tests", count(as_expected), count(violated), count(bad_usage),
             count(undecided));
  if (!options.json.empty()) write_json(options.json, rows);
  for (const exit_status s : {bad_usage, violated, undecided}) {
    if (count(s) != 0) return s;
  }
  if (rows.empty()) throw std::runtime_error("no *.litmus file there");
  return as_expected;
}

}  // namespace licit::tool
