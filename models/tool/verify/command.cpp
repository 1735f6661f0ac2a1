#include "verify/command.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <licit/checker/process_pool.hpp>
#include <licit/deque/version.hpp>

#include "audit/findings.hpp"
#include "rows.hpp"
#include "suites/structure.hpp"
#include "trace_file.hpp"
#include "verify/display.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using suites::mutant;
using suites::program;
using suites::structure;

/// How many executions programs have, as the recorded audit says.
class estimate {
 public:
  /// What a structure will cost, in executions.
  double of(const structure& s, std::size_t rows) const {
    constexpr double a_row = 3'000;
    double executions = static_cast<double>(rows) * a_row;
    each_rule(s, [&](const json& rule) { executions += rule["executions"].get<double>(); });
    return executions;
  }
  program_sizes of_programs(const structure& s) const {
    program_sizes sizes;
    each_rule(s, [&](const json& rule) {
      for (const auto& [program, executions] : rule["programs"].items())
        sizes.emplace(program, executions.get<std::uint64_t>());
    });
    return sizes;
  }

 private:
  void each_rule(const structure& s, const auto& visit) const {
    for (const json& recorded : record_["structures"]) {
      if (recorded["structure"] != s.name) continue;
      for (const json& rule : recorded["rules"]) visit(rule);
    }
  }

  json record_ = own_record();
};

struct planned {
  std::unique_ptr<inspection> of;  ///< which its rows refer to
  display::part part;
  std::vector<inspection::row> rows;
};

/// The structures with something to check, the cheapest first.
std::vector<planned> plan(const verify_options& options, unsigned jobs) {
  std::vector<planned> all;
  const estimate work;
  for (const structure& s : suites::structures()) {
    if (!chosen(options.structures, s.name) || !has_mutant(s, options.broken_by)) continue;
    auto of = std::make_unique<inspection>(s, options, jobs, work.of_programs(s));
    std::vector<inspection::row> rows = of->rows();
    if (rows.empty()) continue;
    const display::part part{std::string(s.name), work.of(s, rows.size()), rows.size()};
    all.push_back({std::move(of), part, std::move(rows)});
  }
  std::ranges::sort(all, {}, [](const planned& p) { return std::tie(p.part.work, p.part.structure); });
  return all;
}

/// The first violating execution that has its steps.
void write_trace(const verify_options& options, const std::vector<result>& results) {
  const auto found = std::ranges::find_if(results, [](const result& r) { return !r.got.steps.steps.empty(); });
  if (found == results.end()) {
    fmt::print("{} is not written: no violation that can be replayed\n", options.trace);
    return;
  }
  trace_file t;
  t.version = library_version();
  t.structure = found->structure;
  t.program = found->program;
  t.line = found->line;
  // A broken algorithm is a program of its own.
  if (found->mutant != found->program) t.mutant = found->mutant.empty() ? options.broken_by : found->mutant;
  t.found = found->checker == exhaustive_name ? found->checker : found->got.bound;
  t.kind = name(found->got.kind);
  t.message = found->got.message;
  t.how = found->got.options;
  t.steps = found->got.steps;
  write(options.trace, t);
  fmt::print("{}: the execution of {}; licit replay {}\n", options.trace, found->program, options.trace);
}

/// In this process, which has then what is drawn.
void run_here(const std::vector<planned>& all, const verify_options& options, display& shown) {
  std::vector<result> results;
  for (std::size_t part = 0; part != all.size(); ++part) {
    for (std::size_t row = 0; row != all[part].rows.size(); ++row) {
      const std::vector<result> made = all[part].rows[row]();
      shown.heard(part, row, reports_of(made));
      std::ranges::copy_if(made, std::back_inserter(results),
                           [](const result& r) { return r.got.outcome == checker::outcome::violation; });
    }
  }
  draw(options.draw, results);
  if (!options.trace.empty()) write_trace(options, results);
}

/// A process a row.
void run_side_by_side(const std::vector<planned>& all, unsigned jobs, display& shown) {
  constexpr std::chrono::milliseconds patience{200};
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  for (std::size_t part = 0; part != all.size(); ++part) {
    for (std::size_t row = 0; row != all[part].rows.size(); ++row) rows.emplace_back(part, row);
  }
  (void)this_command();  // reads the executable: once, not in each process
  checker::process_pool pool(jobs);
  for (std::size_t next = 0; next != rows.size() || !pool.idle();) {
    if (next != rows.size() && !pool.full()) {
      const auto [part, row] = rows[next++];
      shown.began(part);
      pool.start([&made = all[part].rows[row]] { return packed(reports_of(made())); });
      continue;
    }
    const auto ended = pool.wait(patience);
    shown.idle();
    if (!ended) continue;
    const auto [part, row] = rows[ended->number];
    if (!ended->failure.empty()) throw std::runtime_error(all[part].part.structure + ": a process " + ended->failure);
    shown.heard(part, row, unpacked(ended->output));
  }
}

}  // namespace

namespace {

int check(const verify_options& options) {
  // Few rows leave processors without work: then each search is split.
  const unsigned jobs = processes(options.jobs);
  std::vector<planned> all = plan(options, 1);
  std::size_t rows = 0;
  for (const planned& p : all) rows += p.rows.size();
  if (rows == 0) {
    throw std::runtime_error(options.client.empty()
                                 ? "nothing to check: no chosen structure has a client or mutant of that name, or "
                                   "--stall leaves it to --longer"
                                 : "nothing to check: Relacy does not run --client, and --stall names no thread of it");
  }
  const bool side_by_side = jobs > 1 && rows >= std::size_t{4} * jobs && !options.wants_execution();
  if (!side_by_side && options.jobs > 1) all = plan(options, options.jobs);
  std::vector<display::part> parts;
  parts.reserve(all.size());
  for (const planned& p : all) parts.push_back(p.part);
  display shown(options, std::move(parts));
  if (side_by_side) {
    run_side_by_side(all, jobs, shown);
  } else {
    run_here(all, options, shown);
  }
  shown.close();
  std::size_t left_out = 0;
  for (const planned& p : all) left_out += p.of->left_out();
  if (left_out != 0)
    fmt::print("{} programs of more than 100,000 executions are left out; --longer has them\n", left_out);
  if (!options.json.empty()) write_json(options.json, shown.rows());
  return shown.status();
}

}  // namespace

int verify(const verify_options& options) {
  if (options.shard && (options.checkers.size() != 1 || options.checkers[0] != exhaustive_name)) {
    throw std::runtime_error("--shard needs --checker exhaustive: the searches of the others are not split");
  }
  if (options.iterations && options.mode.empty() && options.checkers == std::vector{std::string(exhaustive_name)}) {
    throw std::runtime_error("--iterations is of --mode and of Relacy, and --checker exhaustive is neither");
  }
  if (options.client.empty()) return check(options);
  expect_structure(options);
  return run_apart(options.client, [&] { return check(options); });
}

namespace {

void list_programs(std::string_view heading, const std::vector<program>& all) {
  if (all.empty()) return;
  fmt::print("  {}:\n", heading);
  for (const program& p : all) {
    fmt::print("    {:<26} {} threads  {}\n", p.about.name, p.about.threads, p.about.property);
    if (!p.line.empty()) fmt::print("    {:<26} {}\n", "", p.line);
  }
}

void list_words(std::string_view heading, std::span<const char* const> words, std::string_view also) {
  fmt::print("    {}:", heading);
  for (const char* word : words) fmt::print(" {}", word);
  fmt::print("{}\n", also);
}

}  // namespace

void list() {
  for (const structure& s : suites::structures()) {
    fmt::print("{}{}\n", s.name, s.no_relacy.empty() ? "" : fmt::format(", without Relacy: {}", s.no_relacy));
    list_programs("programs", s.programs);
    list_programs("programs that take minutes (--longer)", s.longer);
    list_programs("programs that are only sampled (--mode)", s.sampled);
    fmt::print("  mutants, each of which must be caught:\n");
    for (const mutant& m : s.mutants) {
      fmt::print("    {:<28} {}\n", m.name,
                 m.relacy_blind.empty() ? "" : "not by Relacy: " + std::string(m.relacy_blind));
    }
    list_programs("broken algorithms, each of which must be caught by the exhaustive checker", s.broken);
    if (s.own) {
      fmt::print("  words of --client:\n");
      list_words("calls", s.words.words, " tell told");
      list_words("before the colon", s.words.before, " leave");
      list_words("settings (NAME=NUMBER, before the colon)", s.words.settings, "");
    }
    fmt::print("\n");
  }
}

}  // namespace licit::tool
