#include "verify.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <string>

#include <licit/deque/chase_lev_orders.hpp>

#include "catalogue.hpp"
#include "programs/mutants.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace licit::tool {

namespace {

using models::mutant;
using models::outcome_of_check;
using models::program;
using models::relacy::search;
using models::relacy::settings;
using table = models::live_orders<chase_lev_orders>;

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

/// The searches that Relacy is asked for: everything where it can finish, else a bound and a random sample.
std::vector<search> searches(models::reach reach) {
  if (reach == models::reach::full) return {search::full};
  return {search::bound, search::random};
}

class run {
 public:
  run(const verify_options& options, std::size_t rows) : options_{options}, shown_{rows, !options.quiet} {}

  void programs() {
    print_heading("checker");
    for (const mutant& m : models::deque_mutants) {
      if (m.name == options_.broken_by) table::apply(m.what);
    }
    for (const program& p : models::programs()) {
      if (!chosen(options_.programs, p.about.name)) continue;
      for (const search how : searches(p.about.relacy)) {
        result r{std::string(p.about.name), "relacy", "", "", {}, outcome_of_check::ok};
        shown_.begin(p.about.name);
        r.got = p.under_relacy(with(how));
        add(std::move(r));
      }
    }
    table::reset();
  }

  void mutants() {
    print_heading("mutant (relacy)");
    for (const mutant& m : models::deque_mutants) {
      if (!chosen(options_.mutants, m.name)) continue;
      shown_.begin(m.name);
      add(hunt(m));
    }
  }

  [[nodiscard]] int status() const {
    const bool surprise = std::ranges::any_of(
        results_, [](const result& r) { return !r.as_expected() && r.got.outcome != outcome_of_check::limit; });
    const bool limited =
        std::ranges::any_of(results_, [](const result& r) { return r.got.outcome == outcome_of_check::limit; });
    return surprise ? violated : limited ? out_of_limit : as_expected;
  }

  void close() {
    shown_.clear();
    const auto surprises = std::ranges::count_if(results_, [](const result& r) { return !r.as_expected(); });
    fmt::print("\n{} verdicts, {}\n", results_.size(),
               surprises == 0 ? "all as expected" : fmt::format("{} NOT as expected", surprises));
    fmt::print(
        "relacy: exhaustive means every execution that Relacy's model has; it keeps C++11's release sequences, "
        "explores no load\nbuffering, and an RMW or a failing compare-exchange reads the latest value only\n");
    if (!options_.json.empty()) write_json(options_.json, results_);
  }

 private:
  settings with(search how) {
    settings s;
    s.how = how;
    s.executions = options_.iterations;
    s.limit = options_.limit;
    s.progress = [this](std::uint64_t executions) { shown_.at(executions); };
    return s;
  }

  /// The programs one after another, with a bound and then by samples, until one of them violates.
  result hunt(const mutant& m) {
    const bool seen = m.relacy_blind.empty();
    result r{"every program",
             "relacy",
             std::string(m.name),
             seen ? "" : "not seen: " + std::string(m.relacy_blind),
             {},
             seen ? outcome_of_check::violation : outcome_of_check::ok};
    std::uint64_t executions = 0;
    double seconds = 0;
    table::apply(m.what);
    for (const search how : {search::bound, search::random}) {
      for (const program& p : models::programs()) {
        r.got = p.under_relacy(with(how));
        executions += r.got.executions;
        seconds += r.got.seconds;
        if (r.got.outcome == outcome_of_check::ok) continue;
        r.program = p.about.name;
        break;
      }
      if (r.got.outcome != outcome_of_check::ok) break;
    }
    table::reset();
    r.got.executions = executions;
    r.got.seconds = seconds;
    if (r.got.outcome == outcome_of_check::ok) r.got.bound = "3, then random";
    return r;
  }

  void add(result r) {
    shown_.clear();
    print_row(r);
    const bool wanted = !r.as_expected() || !options_.mutants.empty();
    if (wanted && r.got.outcome == outcome_of_check::violation) print_history(r);
    std::fflush(stdout);
    results_.push_back(std::move(r));
  }

  const verify_options& options_;
  progress shown_;
  std::vector<result> results_;
};

}  // namespace

int verify(const verify_options& options) {
  const bool with_programs = options.mutants.empty();
  const bool with_mutants = options.programs.empty() && options.broken_by.empty();
  std::size_t rows = 0;
  for (const program& p : models::programs()) {
    if (with_programs && chosen(options.programs, p.about.name)) rows += searches(p.about.relacy).size();
  }
  for (const mutant& m : models::deque_mutants) rows += with_mutants && chosen(options.mutants, m.name) ? 1 : 0;

  run r(options, rows);
  if (with_programs) r.programs();
  if (with_mutants) r.mutants();
  r.close();
  return r.status();
}

void list() {
  fmt::print("programs:\n");
  for (const program& p : models::programs()) {
    fmt::print("  {:<24} {} threads  {}\n", p.about.name, p.about.threads, p.about.property);
  }
  fmt::print("\nmutants (each must be caught, by relacy unless said otherwise):\n");
  for (const mutant& m : models::deque_mutants) {
    fmt::print("  {:<28} {}\n", m.name, m.relacy_blind.empty() ? "" : "not by relacy: " + std::string(m.relacy_blind));
  }
}

}  // namespace licit::tool
