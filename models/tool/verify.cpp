#include "verify.hpp"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <optional>
#include <stdexcept>
#include <string>

#include <licit/deque/version.hpp>

#include "catalogue.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "rows.hpp"
#include "sample.hpp"
#include "trace_file.hpp"

namespace licit::tool {

namespace {

using models::mutant;
using models::outcome_of_check;
using models::program;
using models::structure;
using models::verdict;
using models::relacy::search;

/// A way to check a program.
enum class way {
  exhaustive,
  exhaustive_cxx11,
  sampled,
  relacy_full,
  relacy_bound,
  relacy_random,
  relacy_glance,  ///< a tenth of the random executions, where nothing is expected
};

bool is_relacy(way w) { return w >= way::relacy_full; }
std::string_view checker_of(way w) {
  if (w == way::sampled) return sample_name;
  return is_relacy(w) ? relacy_name : exhaustive_name;
}

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

/// The exhaustive checker under both rules of release sequences; and of Relacy everything where it can finish, else a
/// bound and a random sample.
std::vector<way> ways(const verify_options& options, const program& p) {
  if (!options.mode.empty()) return {way::sampled};
  std::vector<way> all;
  if (chosen(options.checkers, exhaustive_name)) {
    if (chosen(options.rules, "c++20")) all.push_back(way::exhaustive);
    if (chosen(options.rules, "c++11")) all.push_back(way::exhaustive_cxx11);
  }
  if (!chosen(options.checkers, relacy_name) || p.under_relacy == nullptr) return all;
  const models::reach reach = p.about.relacy;
  if (reach == models::reach::full) all.push_back(way::relacy_full);
  if (reach == models::reach::bounded) all.push_back(way::relacy_bound);
  if (reach != models::reach::full) all.push_back(way::relacy_random);
  return all;
}

/// What grows most with it is the number of threads.
std::vector<const program*> cheapest_first(const structure& s) {
  std::vector<const program*> all;
  for (const program& p : s.programs) all.push_back(&p);
  std::ranges::stable_sort(all, {}, [](const program* p) { return p->about.threads; });
  return all;
}

class run {
 public:
  run(const verify_options& options, std::size_t rows) : options_{options}, shown_{rows, !options.quiet} {}

  void programs(const structure& s) {
    for (const mutant& m : s.mutants) {
      if (m.name == options_.broken_by) s.apply(m.what);
    }
    for (const program& p : s.programs) {
      if (!chosen(options_.programs, p.about.name)) continue;
      for (const way w : ways(options_, p)) {
        if (options_.stall.empty()) check_program(s, p, w, {});
        for (const unsigned thread : options_.stall) {
          if (thread < p.about.threads && !is_relacy(w) && !p.about.waits) check_program(s, p, w, thread);
        }
      }
    }
    s.reset();
  }

  void mutants(const structure& s) {
    hunting_ = true;
    for (const mutant& m : s.mutants) {
      if (!chosen(options_.mutants, m.name)) continue;
      if (!options_.mode.empty()) {
        hunt(s, m, {way::sampled}, {});
        continue;
      }
      if (chosen(options_.checkers, exhaustive_name)) hunt(s, m, {way::exhaustive}, {});
      if (chosen(options_.checkers, relacy_name) && s.no_relacy.empty()) {
        if (m.relacy_blind.empty()) {
          hunt(s, m, {way::relacy_bound, way::relacy_random}, {});
        } else {
          hunt(s, m, {way::relacy_glance}, m.relacy_blind);
        }
      }
    }
    for (const program& p : s.broken) {
      if (!chosen(options_.mutants, p.about.name)) continue;
      if (options_.mode.empty() && !chosen(options_.checkers, exhaustive_name)) continue;
      check_broken(s, p, options_.mode.empty() ? way::exhaustive : way::sampled);
    }
    hunting_ = false;
  }

  [[nodiscard]] exit_status status() const { return tool::status(results_); }

  void close() {
    shown_.clear();
    print_summary(results_);
    if (options_.shard) {
      fmt::print("of shard {}/{} alone: `licit merge` adds the shards up\n", options_.shard->index,
                 options_.shard->count);
    }
    fmt::print(
        "exhaustive: every execution of RC11, once, under C++20's and C++11's release sequences;\n"
        "  ghost reads stand in for load buffering\n"
        "walk: executions of the same model, chosen at random or by random priorities, not all\n"
        "relacy: its own model: C++11's release sequences, no load buffering,\n"
        "  and an RMW or a failing compare-exchange reads the latest value\n");
    draw(options_.draw, results_);
    if (!options_.json.empty()) write_json(options_.json, results_, this_command());
    if (!options_.trace.empty()) write_trace();
  }

 private:
  void check_program(const structure& s, const program& p, way w, std::optional<unsigned> stall) {
    shown_.begin(p.about.name);
    add({.structure = std::string(s.name),
         .program = std::string(p.about.name),
         .checker = std::string(checker_of(w)),
         .got = check(p, w, stall),
         .broken_by = options_.broken_by,
         .limit = options_.limit});
  }

  void check_broken(const structure& s, const program& p, way w) {
    shown_.begin(p.about.name);
    add({.structure = std::string(s.name),
         .program = std::string(p.about.name),
         .checker = std::string(checker_of(w)),
         .mutant = std::string(p.about.name),
         .got = check(p, w),
         .expected = outcome_of_check::violation,
         .limit = options_.limit});
  }

  verdict check(const program& p, way w, std::optional<unsigned> stall = {}) {
    if (w == way::sampled) {
      return sample(p, {.mode = options_.mode,
                        .executions = options_.iterations,
                        .seed = options_.seed,
                        .depth = options_.depth,
                        .limit = options_.limit});
    }
    if (!is_relacy(w)) return exhaustively(p, w, stall);
    models::relacy::settings s;
    s.how = w == way::relacy_full ? search::full : w == way::relacy_bound ? search::bound : search::random;
    s.executions = w == way::relacy_glance ? std::max<std::uint64_t>(options_.iterations / 10, 1) : options_.iterations;
    s.limit = options_.limit;
    s.progress = [this](std::uint64_t executions) { shown_.at(executions); };
    return p.under_relacy(s);
  }

  verdict exhaustively(const program& p, way w, std::optional<unsigned> stall) try {
    using enum checker::release_sequences;
    return p.exhaustively({.sequences = w == way::exhaustive ? cxx20 : cxx11,
                           .stall = stall,
                           .limit = options_.limit,
                           .which = options_.shard,
                           .shrink = shows(),
                           .jobs = options_.jobs,
                           .progress = [this](std::uint64_t done, std::uint64_t pieces) { shown_.at(done, pieces); }});
  } catch (const std::exception& e) {
    throw std::runtime_error(fmt::format("{}: {}", p.about.name, e.what()));
  }

  /// Whether what a violation looks like is of interest: not in a hunt through all mutants, where each has one.
  [[nodiscard]] bool shows() const { return !hunting_ || !options_.mutants.empty() || options_.draw.wanted(); }

  /// The programs one after another, one way and then the next, until one of them violates. Where the checker is
  /// `blind` to the mutant, none may.
  void hunt(const structure& s, const mutant& m, std::initializer_list<way> by, std::string_view blind) {
    shown_.begin(m.name);
    result r{.structure = std::string(s.name),
             .program = "every program",
             .checker = std::string(checker_of(*by.begin())),
             .mutant = std::string(m.name),
             .note = blind.empty() ? "" : "not seen: " + std::string(blind),
             .expected = blind.empty() ? outcome_of_check::violation : outcome_of_check::ok,
             .limit = options_.limit};
    std::uint64_t executions = 0;
    double seconds = 0;
    s.apply(m.what);
    for (const way w : by) {
      for (const program* p : cheapest_first(s)) {
        if (is_relacy(w) && p->under_relacy == nullptr) continue;
        if (w == way::relacy_bound && p->about.relacy == models::reach::sampled) continue;
        r.got = check(*p, w);
        executions += r.got.executions;
        seconds += r.got.seconds;
        if (r.got.outcome == outcome_of_check::ok) continue;
        r.program = p->about.name;
        break;
      }
      if (r.got.outcome != outcome_of_check::ok) break;
    }
    s.reset();
    r.got.executions = executions;
    r.got.seconds = seconds;
    if (r.got.outcome == outcome_of_check::ok && by.size() > 1) r.got.bound = "3, then random";
    add(std::move(r));
  }

  void add(result r) {
    shown_.clear();
    if (r.structure != heading_) print_heading(heading_ = r.structure);
    print_row(r);
    const bool wanted = !r.as_expected() || !options_.mutants.empty();
    if (wanted && r.got.outcome == outcome_of_check::violation) print_history(r);
    std::fflush(stdout);
    results_.push_back(std::move(r));
  }

  /// The first violating execution that has its steps.
  void write_trace() const {
    const auto found = std::ranges::find_if(results_, [](const result& r) { return !r.got.steps.steps.empty(); });
    if (found == results_.end()) {
      fmt::print("{} is not written: no violation that can be replayed\n", options_.trace);
      return;
    }
    trace_file t;
    t.version = library_version();
    t.structure = found->structure;
    t.program = found->program;
    // A broken algorithm is a program of its own.
    if (found->mutant != found->program) t.mutant = found->mutant.empty() ? options_.broken_by : found->mutant;
    t.found = found->checker == exhaustive_name ? found->checker : found->got.bound;
    t.kind = found->got.kind;
    t.message = found->got.failure;
    t.how = found->got.how;
    t.steps = found->got.steps;
    write(options_.trace, t);
    fmt::print("{}: the execution of {}; licit replay {}\n", options_.trace, found->program, options_.trace);
  }

  const verify_options& options_;
  progress shown_;
  std::vector<result> results_;
  bool hunting_ = false;
  std::string heading_;
};

}  // namespace

namespace {

std::size_t program_rows(const structure& s, const verify_options& options) {
  const std::size_t each = options.stall.empty() ? 1 : options.stall.size();
  std::size_t rows = 0;
  for (const program& p : s.programs) {
    if (chosen(options.programs, p.about.name)) rows += each * ways(options, p).size();
  }
  return rows;
}

std::size_t mutant_rows(const structure& s, const verify_options& options) {
  const bool one = !options.mode.empty() || options.checkers.size() == 1 || !s.no_relacy.empty();
  std::size_t rows = 0;
  for (const mutant& m : s.mutants) rows += chosen(options.mutants, m.name) ? (one ? 1U : 2U) : 0U;
  for (const program& p : s.broken) rows += chosen(options.mutants, p.about.name) ? 1U : 0U;
  return rows;
}

}  // namespace

exit_status status(const std::vector<result>& results) {
  const auto limited = [](const result& r) { return r.got.outcome == outcome_of_check::limit; };
  if (std::ranges::any_of(results, [&](const result& r) { return !r.as_expected() && !limited(r); })) return violated;
  return std::ranges::any_of(results, limited) ? out_of_limit : as_expected;
}

void print_summary(const std::vector<result>& results) {
  const auto surprises = std::ranges::count_if(results, [](const result& r) { return !r.as_expected(); });
  fmt::print("\n{} verdicts, {}\n", results.size(),
             surprises == 0 ? "all as expected" : fmt::format("{} NOT as expected", surprises));
}

int verify(const verify_options& options) {
  if (options.shard && (options.checkers.size() != 1 || options.checkers[0] != exhaustive_name)) {
    throw std::runtime_error("--shard needs --checker exhaustive: the searches of the others are not split");
  }
  const bool with_programs = options.mutants.empty();
  const bool with_mutants =
      options.programs.empty() && options.broken_by.empty() && options.stall.empty() && !options.shard;
  std::vector<const structure*> of;
  for (const structure& s : models::structures()) {
    const bool has_it = std::ranges::any_of(s.mutants, [&](const mutant& m) { return m.name == options.broken_by; });
    if (chosen(options.structures, s.name) && (options.broken_by.empty() || has_it)) of.push_back(&s);
  }
  std::size_t rows = 0;
  for (const structure* s : of) {
    if (with_programs) rows += program_rows(*s, options);
    if (with_mutants) rows += mutant_rows(*s, options);
  }
  run r(options, rows);
  for (const structure* s : of) {
    if (with_programs) r.programs(*s);
    if (with_mutants) r.mutants(*s);
  }
  r.close();
  return r.status();
}

void list() {
  for (const structure& s : models::structures()) {
    fmt::print("{}{}\n", s.name, s.no_relacy.empty() ? "" : fmt::format(", without Relacy: {}", s.no_relacy));
    fmt::print("  programs:\n");
    for (const program& p : s.programs) {
      fmt::print("    {:<26} {} threads  {}\n", p.about.name, p.about.threads, p.about.property);
    }
    fmt::print("  mutants (each must be caught, by both checkers unless said otherwise):\n");
    for (const mutant& m : s.mutants) {
      fmt::print("    {:<28} {}\n", m.name,
                 m.relacy_blind.empty() ? "" : "not by relacy: " + std::string(m.relacy_blind));
    }
    if (!s.broken.empty()) fmt::print("  broken algorithms (each must be caught by the exhaustive checker):\n");
    for (const program& p : s.broken) fmt::print("    {:<28} {}\n", p.about.name, p.about.property);
    fmt::print("\n");
  }
}

}  // namespace licit::tool
