#include "litmus.hpp"

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

#include "checker/litmus/parser.hpp"

namespace licit::tool {

namespace {

namespace fs = std::filesystem;

enum status : int { as_expected = 0, surprise = 1, malformed = 2, limited = 3 };

struct row {
  std::string file;
  litmus::test test;
  litmus::verdict got;
  std::string error;  ///< that the file could not be read, parsed or run

  [[nodiscard]] status ended() const {
    if (!error.empty()) return malformed;
    if (got.outcome == checker::outcome::limit) return limited;
    if (test.expected) return got.as(*test.expected) ? as_expected : surprise;
    return test.quantified == litmus::quantifier::exists || got.holds(test.quantified) ? as_expected : surprise;
  }
};

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
      row r{file, std::move(t), {}, {}};
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

std::string expectation(const litmus::expectation& e) {
  return fmt::format("{}, {} executions, {} blocked, {}", e.allowed ? "reachable" : "not reachable", e.executions,
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
  fmt::print("Executions {}, blocked {}{}\n", got.executions, got.blocked,
             got.outcome == checker::outcome::limit ? ", stopped at the limit" : "");
  if (!got.race.empty()) fmt::print("Race: {}\n", got.race);
  fmt::print("Condition {}: {}, {}\n", name(r.test.quantified), got.reachable() ? "reached" : "not reached",
             got.holds(r.test.quantified) ? "holds" : "does not hold");
  if (r.ended() == surprise) {
    fmt::print("NOT AS EXPECTED{}\n", r.test.expected ? ": " + expectation(*r.test.expected) : "");
  }
  fmt::print("\n");
}

std::string_view verdict_of(status s) { return s == as_expected ? "ok" : s == limited ? "limit" : "violation"; }

/// The keys are always the same. What is not known is null: all but the file and the message of a test that could not
/// be run; what was not found and what was counted of a test that stopped at the limit.
nlohmann::ordered_json json(const row& r) {
  using nlohmann::ordered_json;
  ordered_json all{{"file", r.file}};
  for (const char* key :
       {"program", "quantifier", "verdict", "reachable", "executions", "blocked", "race", "message", "states"}) {
    all[key] = nullptr;
  }
  if (!r.error.empty()) {
    all["message"] = r.error;
    return all;
  }
  all["program"] = r.test.name;
  all["quantifier"] = name(r.test.quantified);
  all["verdict"] = verdict_of(r.ended());
  if (!r.got.race.empty()) {
    all["race"] = true;
    all["message"] = r.got.race;
  }
  if (r.got.reachable()) all["reachable"] = true;
  if (r.got.outcome == checker::outcome::limit) return all;
  all["reachable"] = r.got.reachable();
  all["race"] = !r.got.race.empty();
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
  const auto count = [&](status s) { return std::ranges::count(rows, s, &row::ended); };
  fmt::print("{} tests: {} as expected, {} not, {} unreadable or malformed, {} stopped at the limit\n", rows.size(),
             count(as_expected), count(surprise), count(malformed), count(limited));
  if (!options.json.empty()) write_json(options.json, rows);
  for (const status s : {malformed, surprise, limited}) {
    if (count(s) != 0) return s;
  }
  if (rows.empty()) throw std::runtime_error("no *.litmus file there");
  return as_expected;
}

}  // namespace licit::tool
