
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

#include "checker/show/exit_status.hpp"
#include "machine/matrix/results.hpp"
#include "machine/matrix/rows.hpp"
#include "machine/matrix/run.hpp"
#include "suites/structure.hpp"

namespace licit::machine {

namespace {

namespace fs = std::filesystem;

using enum checker::exit_status;
using licit::matrix::column;
using licit::matrix::order_for;
using licit::matrix::results;
using licit::matrix::row;

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
  std::ranges::copy_if(licit::matrix::all_rows(), std::back_inserter(found),
                       [&](const row& r) { return is_named(r, name); });
  if (found.empty()) throw std::invalid_argument(fmt::format("there is no row '{}': licit matrix --list", name));
  return found;
}

std::vector<row> chosen_rows(const matrix_options& o) {
  for (const std::string& name : o.rows) rows_named(name);
  std::vector<row> rows;
  std::ranges::copy_if(licit::matrix::all_rows(), std::back_inserter(rows),
                       [&](const row& r) { return is_chosen(r, o); });
  return rows;
}

/// All of them, the surest first.
std::vector<column> columns(const licit::matrix::places& at) {
  std::vector<column> all{licit::matrix::exhaustive_column(), licit::matrix::relacy_column(),
                          licit::matrix::random_column(), licit::matrix::pct_column(),
                          licit::matrix::fuzzing_column(at.fuzzer)};
  std::ranges::move(licit::matrix::stress_columns(at.stress, at.plugin), std::back_inserter(all));
  all.push_back(licit::matrix::hardware_column(at.hardware));
  return all;
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

/// What the file has. With --pages also what it has of other sources, which is shown and not added to.
void begin_from(results& r, const std::string& file, const matrix_options& o) {
  const results earlier = licit::matrix::read_results(read_file(file), file);
  fmt::print(stderr, "{} cells of {}\n", take_over(r, earlier, o.only_pages || o.adopt), file);
  add_budgets(r.budget, earlier.budget);
  if (!o.only_pages || o.adopt) return;
  r.version = earlier.version;
  for (const auto& [structure, on] : earlier.judged) r.judged[structure] = on;
}

/// Of every structure, as it is made now.
std::map<std::string, licit::matrix::sources> sources_now() {
  auto all = licit::matrix::sources_of(matrix_structures());
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
  const std::string made = fmt::format("{}-{:02}-{:02} by licit matrix", static_cast<int>(day.year()),
                                       static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  for (auto& [structure, on] : all) on.made = made;
  return all;
}

class teller {
 public:
  teller(const matrix_options& o, const results& r) : options_{o}, results_{r} {}

  void operator()(const licit::matrix::progress& p) {
    if (!options_.quiet) {
      fmt::print(stderr, "{}/{} {} by {}: {}\n", p.done, p.of, p.row.of.id(), p.by.name,
                 licit::matrix::in_full(&p.got, p.row.of.is_control()));
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
  if (!o.record.empty()) write_file(o.record, to_record(r));
  if (!o.html.empty()) write_file(o.html, html(r));
  if (!o.markdown.empty()) write_file(o.markdown, markdown(r));
}

licit::matrix::budget budget_of(const matrix_options& o) {
  licit::matrix::budget b = licit::matrix::find_budget(o.budget);
  if (o.seeds != 0) b.seeds = o.seeds;
  return b;
}

/// The columns of this process: the others need what may not be built.
std::vector<column> quick_columns(const matrix_options& o) {
  std::vector<column> quick{licit::matrix::exhaustive_column(), licit::matrix::random_column(),
                            licit::matrix::pct_column()};
  std::erase_if(quick, [&](const column& c) { return !chosen(o.columns, c.name); });
  if (quick.empty()) throw std::invalid_argument("--check is by the columns exhaustive, random and pct");
  return quick;
}

int check(const matrix_options& o) {
  results record = licit::matrix::read_results(read_file(o.check), o.check);
  if (!o.rows.empty() || !o.structures.empty()) {
    std::erase_if(record.rows, [&](const auto& each) { return !is_chosen(each.of, o); });
  }
  const auto by = quick_columns(o);
  results r = licit::matrix::blank(chosen_rows(o), by, o.budget, {});
  teller told(o, r);
  const auto tell = [&](const licit::matrix::progress& p) { told(p); };
  licit::matrix::fill(r, licit::matrix::cheapest(r, record, by), licit::matrix::budget_of(record), o.jobs, tell);
  licit::matrix::fill(r, licit::matrix::controls(r, by), budget_of(o), o.jobs, tell);
  write_pages(r, o);
  const auto wrong = licit::matrix::complaints(r, record);
  for (const std::string& each : wrong) fmt::print("{}\n", each);
  fmt::print("{} rows: {}\n", r.rows.size(),
             wrong.empty() ? "as they must be" : fmt::format("{} NOT as they must be", wrong.size()));
  return wrong.empty() ? as_expected : violated;
}

void list_matrix() {
  for (const column& c : columns({})) fmt::print("{:<18} {}\n", c.name, c.how);
  std::string last;
  for (const row& r : licit::matrix::all_rows()) {
    if (r.structure != last) fmt::print("\n{}\n", last = r.structure);
    fmt::print("  {:<40} {:<17} {}\n", r.name, name(r.what), r.says);
  }
}

}  // namespace

licit::matrix::places default_places() {
  const std::string here = LICIT_BUILD;
  return {.fuzzer = here + "/../fuzz/fuzz/matrix_fuzz",
          .stress = here + "/stress",
          .plugin = here + "/models/machine/qemu/licit_qemu.so",
          .hardware = here + "/arm64"};
}

std::vector<std::string> matrix_columns() {
  std::vector<std::string> names;
  for (const column& c : columns({})) names.push_back(c.name);
  return names;
}

std::vector<std::string> matrix_structures() {
  std::vector<std::string> names;
  for (const auto& s : suites::structures()) names.emplace_back(s.name);
  return names;
}

int run_matrix(const matrix_options& options) {
  if (options.list) {
    list_matrix();
    return as_expected;
  }
  if (!options.check.empty()) return check(options);
  const auto by = columns(options.at);
  results r = licit::matrix::blank(options.from.empty() ? chosen_rows(options) : licit::matrix::all_rows(), by,
                                   options.only_pages ? "" : options.budget, sources_now());
  for (const std::string& file : options.from) begin_from(r, file, options);
  if (!options.only_pages) {
    const licit::matrix::budget b = budget_of(options);
    teller told(options, r);
    licit::matrix::fill(r, missing(r, by, options), b, options.jobs,
                        [&](const licit::matrix::progress& p) { told(p); });
  }
  write_pages(r, options);
  fmt::print("{}", summary_text(r));
  return licit::matrix::false_alarms(r).empty() ? as_expected : violated;
}

}  // namespace licit::machine
