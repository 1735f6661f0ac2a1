#include "machine/matrix/command.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include "catalogue.hpp"
#include "machine/matrix/check.hpp"
#include "machine/matrix/json.hpp"
#include "machine/matrix/pages.hpp"
#include "machine/matrix/rows.hpp"
#include "machine/matrix/run.hpp"
#include "verify.hpp"

namespace licit::machine {

namespace {

namespace fs = std::filesystem;
using matrix::column;
using matrix::order_for;
using matrix::results;
using matrix::row;

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot read {}: {}", file, std::generic_category().message(errno)));
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whole or not at all: a run of hours may be stopped at any moment.
void write_file(const std::string& file, const std::string& text) {
  const std::string unfinished = fmt::format("{}.{}", file, ::getpid());
  std::ofstream out(unfinished, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}: {}", file, std::generic_category().message(errno)));
  fs::rename(unfinished, file);
}

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool is_named(const row& r, std::string_view name) { return r.id() == name || r.name == name; }

bool is_chosen(const row& r, const matrix_options& o) {
  return chosen(o.structures, r.structure) &&
         (o.rows.empty() || std::ranges::any_of(o.rows, [&](const auto& name) { return is_named(r, name); }));
}

/// Of the rows, those that the name is of. At least one.
std::vector<row> rows_named(const std::string& name) {
  std::vector<row> found;
  std::ranges::copy_if(matrix::all_rows(), std::back_inserter(found), [&](const row& r) { return is_named(r, name); });
  if (found.empty()) throw std::invalid_argument(fmt::format("there is no row '{}': licit matrix --list", name));
  return found;
}

/// The controls are made wrong by one row, another is run as if nothing were wrong with it: what is seen of that?
void sabotage(std::vector<row>& rows, const matrix_options& o) {
  for (const row& by : o.broken_by.empty() ? std::vector<row>{} : rows_named(o.broken_by)) {
    for (row& r : rows) {
      if (!r.is_control() || r.structure != by.structure) continue;
      r.changes.insert(r.changes.end(), by.changes.begin(), by.changes.end());
    }
  }
  for (const row& whole : o.mended.empty() ? std::vector<row>{} : rows_named(o.mended)) {
    for (row& r : rows) {
      if (r.id() == whole.id()) r.changes.clear();
    }
  }
}

std::vector<row> chosen_rows(const matrix_options& o) {
  for (const std::string& name : o.rows) rows_named(name);
  std::vector<row> rows;
  std::ranges::copy_if(matrix::all_rows(), std::back_inserter(rows), [&](const row& r) { return is_chosen(r, o); });
  sabotage(rows, o);
  return rows;
}

/// Every cell that is wanted and not there.
std::vector<order_for> missing(const results& r, const std::vector<column>& by, const matrix_options& o) {
  const bool again = !o.missing && (!o.rows.empty() || !o.columns.empty() || !o.structures.empty());
  std::vector<order_for> all;
  for (const column& c : by) {
    if (!chosen(o.columns, c.name)) continue;
    for (std::size_t i = 0; i != r.rows.size(); ++i) {
      if (!is_chosen(r.rows[i].of, o)) continue;
      if (again || r.rows[i].find(c.name) == nullptr) all.push_back({.row = i, .by = &c});
    }
  }
  return all;
}

/// "normal" and "normal, ci" are "normal, ci".
void add_budgets(std::string& names, const std::string& more) {
  constexpr std::string_view between = ", ";
  for (std::size_t from = 0; from < more.size();) {
    const std::size_t end = std::min(more.find(between, from), more.size());
    const std::string one = more.substr(from, end - from);
    if (names.find(one) == std::string::npos) names += (names.empty() ? "" : std::string(between)) + one;
    from = end + between.size();
  }
}

/// What the file has. Of other sources it is shown, and not added to.
void begin_from(results& r, const std::string& file, const matrix_options& o) {
  const results earlier = matrix::read_results(read_file(file), file);
  if (earlier.digest != r.digest && !o.only_pages) {
    fmt::print(stderr, "{} is of other sources: nothing of it is taken over\n", file);
    return;
  }
  fmt::print(stderr, "{} cells of {}\n", take_over(r, earlier), file);
  add_budgets(r.budget, earlier.budget);
  if (!o.only_pages) return;
  r.version = earlier.version;
  r.digest = earlier.digest;
}

class teller {
 public:
  teller(const matrix_options& o, const results& r) : options_{o}, results_{r} {}

  void operator()(const matrix::progress& p) {
    if (!options_.quiet) {
      fmt::print(stderr, "{}/{} {} by {}: {}\n", p.done, p.of, p.row.of.id(), p.by.name,
                 matrix::in_full(&p.got, p.row.of.is_control()));
    }
    const auto now = std::chrono::steady_clock::now();
    if (options_.json.empty() || now - kept_ < std::chrono::seconds(20)) return;
    kept_ = now;
    write_file(options_.json, to_json(results_));
  }

 private:
  const matrix_options& options_;
  const results& results_;
  std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
};

void write_pages(const results& r, const matrix_options& o) {
  if (!o.json.empty()) write_file(o.json, to_json(r));
  if (!o.html.empty()) write_file(o.html, html(r));
  if (o.markdown.empty()) return;
  if (!fs::exists(o.markdown)) return write_file(o.markdown, markdown(r));
  write_file(o.markdown, matrix::with_matrix(read_file(o.markdown), markdown(r), o.markdown));
}

matrix::budget budget_of(const matrix_options& o) {
  matrix::budget b = matrix::find_budget(o.budget);
  if (o.seeds != 0) b.seeds = o.seeds;
  return b;
}

/// The columns of this process: the others need what may not be built.
std::vector<column> quick_columns(const matrix_options& o) {
  std::vector<column> quick{matrix::exhaustive_column(), matrix::random_column(), matrix::pct_column()};
  std::erase_if(quick, [&](const column& c) { return !chosen(o.columns, c.name); });
  if (quick.empty()) throw std::invalid_argument("--check is by the columns exhaustive, random and pct");
  return quick;
}

int check(const matrix_options& o) {
  results record = matrix::read_results(read_file(o.check), o.check);
  if (!o.rows.empty() || !o.structures.empty()) {
    std::erase_if(record.rows, [&](const auto& each) { return !is_chosen(each.of, o); });
  }
  const auto by = quick_columns(o);
  results r = matrix::blank(chosen_rows(o), by, o.budget);
  teller told(o, r);
  const auto tell = [&](const matrix::progress& p) { told(p); };
  matrix::fill(r, matrix::cheapest(r, record, by), matrix::budget_of(record), o.jobs, tell);
  matrix::fill(r, matrix::controls(r, by), budget_of(o), o.jobs, tell);
  write_pages(r, o);
  const auto wrong = matrix::complaints(r, record);
  for (const std::string& each : wrong) fmt::print("{}\n", each);
  fmt::print("{} rows: {}\n", r.rows.size(),
             wrong.empty() ? "as they must be" : fmt::format("{} NOT as they must be", wrong.size()));
  return wrong.empty() ? as_expected : violated;
}

}  // namespace

matrix::places default_places() {
  const std::string here = LICIT_BUILD;
  return {.fuzzer = here + "/../fuzz/fuzz/matrix_fuzz",
          .stress = here + "/stress",
          .plugin = here + "/models/machine/qemu/licit_qemu.so",
          .hardware = here + "/arm64"};
}

std::vector<std::string> matrix_columns() {
  std::vector<std::string> names;
  for (const column& c : matrix::columns({})) names.push_back(c.name);
  return names;
}

std::vector<std::string> matrix_structures() {
  std::vector<std::string> names;
  for (const auto& s : models::structures()) names.emplace_back(s.name);
  return names;
}

int run_matrix(const matrix_options& options) {
  if (!options.check.empty()) return check(options);
  const auto by = matrix::columns(options.at);
  results r = matrix::blank(options.from.empty() ? chosen_rows(options) : matrix::all_rows(), by,
                            options.only_pages ? "" : options.budget);
  for (const std::string& file : options.from) begin_from(r, file, options);
  if (!options.only_pages) {
    const matrix::budget b = budget_of(options);
    teller told(options, r);
    matrix::fill(r, missing(r, by, options), b, options.jobs, [&](const matrix::progress& p) { told(p); });
    matrix::find_equivalent(r, b, options.jobs);
  }
  write_pages(r, options);
  fmt::print("{}", summary_text(r));
  return matrix::false_alarms(r).empty() ? as_expected : violated;
}

void list_matrix() {
  for (const column& c : matrix::columns({})) fmt::print("{:<18} {}\n", c.name, c.how);
  std::string last;
  for (const row& r : matrix::all_rows()) {
    if (r.structure != last) fmt::print("\n{}\n", last = r.structure);
    fmt::print("  {:<40} {:<17} {}\n", r.name, name(r.what), r.says);
  }
}

}  // namespace licit::machine
