#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace licit::tool {

namespace {

using checker::release_sequences;
using models::gallery::exhibit;
using models::gallery::exhibits;
using models::gallery::expectation;
using models::gallery::showing;

/// One program of one exhibit under one rule.
struct row {
  const exhibit* of;
  const showing* what;
  release_sequences rule;
  checker::verdict got;

  [[nodiscard]] const expectation& expected() const { return what->expected(rule); }
  [[nodiscard]] bool limited() const { return got.outcome == checker::outcome::limit; }
  [[nodiscard]] bool as_expected() const { return expected().met_by(got); }
};

std::string_view name(release_sequences rule) { return rule == release_sequences::cxx20 ? "c++20" : "c++11"; }

/// For the table: what is wrong.
std::string_view verdict_of(const row& r) {
  if (r.limited()) return "limit";
  return r.got.kind == checker::violation::none ? "ok" : checker::name(r.got.kind);
}

/// For the JSON: the words of every command.
bool chosen(const gallery_options& options, const exhibit& e) {
  return options.names.empty() || std::ranges::find(options.names, e.name) != options.names.end();
}

void print_exhibit(const exhibit& e, bool in_full) {
  fmt::print("\n{:<26} {}\n", e.name, e.source);
  if (!in_full) return;
  fmt::print("{:>27}source:  models/gallery/{}\n", "", e.file);
  fmt::print("{:>27}claimed: {}\n", "", e.claim);
  fmt::print("{:>27}lesson:  {}\n", "", e.lesson);
}

void print_row(const row& r) {
  const std::string surprise =
      r.as_expected() ? "" : fmt::format("  NOT AS EXPECTED ({})", models::gallery::describe(r.expected()));
  fmt::print("  {:<58} {:<27} {} {:>10} {:>7.2f}  {}{}\n", r.what->program, r.what->size, name(r.rule),
             r.got.executions, r.got.seconds, verdict_of(r), surprise);
  if (!r.got.message.empty()) fmt::print("{:>27}{}\n", "", r.got.message);
}

void print_execution(const row& r) {
  fmt::print(
      "\n  The execution of {} under {}. A column is a thread; each event follows what it reads from.\n\n{}\n  {}\n\n",
      r.of->name, name(r.rule), r.got.trace, r.got.message);
}

void write_gallery(const std::string& file, const std::vector<row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const row& r : rows) {
    nlohmann::ordered_json entry{{"exhibit", r.of->name},
                                 {"source", r.of->source},
                                 {"file", r.of->file},
                                 {"claim", r.of->claim},
                                 {"program", r.what->program},
                                 {"size", r.what->size},
                                 {"release_sequences", name(r.rule)},
                                 {"executions", r.got.executions},
                                 {"blocked", r.got.blocked},
                                 {"seconds", r.got.seconds},
                                 {"verdict", name(r.got.outcome)},
                                 {"expected", r.expected().kind == checker::violation::none ? "ok" : "violation"},
                                 {"as_expected", r.as_expected()}};
    if (r.got.kind != checker::violation::none) entry["kind"] = checker::name(r.got.kind);
    if (!r.got.message.empty()) entry["message"] = r.got.message;
    if (!r.got.trace.empty()) entry["trace"] = r.got.trace;
    all.push_back(std::move(entry));
  }
  std::ofstream out(file);
  out << all.dump(2) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

int status_of(const std::vector<row>& rows) {
  if (std::ranges::any_of(rows, [](const row& r) { return !r.as_expected() && !r.limited(); })) return violated;
  return std::ranges::any_of(rows, &row::limited) ? undecided : as_expected;
}

}  // namespace

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  std::ranges::transform(exhibits(), std::back_inserter(names), [](const exhibit& e) { return std::string(e.name); });
  return names;
}

int gallery(const gallery_options& options, std::span<const exhibit> shown) {
  std::vector<row> rows;
  for (const exhibit& e : shown) {
    if (!chosen(options, e)) continue;
    print_exhibit(e, !options.names.empty());
    for (const showing& s : e.showings) {
      for (const release_sequences rule : {release_sequences::cxx20, release_sequences::cxx11}) {
        rows.push_back({&e, &s, rule, models::gallery::run(s, rule, options.limit)});
        print_row(rows.back());
        const bool wanted = !rows.back().as_expected() || !options.names.empty();
        if (wanted && !rows.back().got.trace.empty()) print_execution(rows.back());
        std::fflush(stdout);
      }
    }
  }
  const auto surprises = std::ranges::count_if(rows, [](const row& r) { return !r.as_expected(); });
  fmt::print("\n{} rows, {}\n", rows.size(),
             surprises == 0 ? "all as expected" : fmt::format("{} NOT as expected", surprises));
  if (!options.json.empty()) write_gallery(options.json, rows);
  return status_of(rows);
}

void list_gallery() {
  for (const exhibit& e : exhibits()) {
    print_exhibit(e, true);
    for (const showing& s : e.showings) fmt::print("{:>27}program: {}, {}\n", "", s.program, s.size);
  }
}

}  // namespace licit::tool
