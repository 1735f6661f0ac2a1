#include "verify/command.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/deque/version.hpp>

#include "catalogue.hpp"
#include "processes.hpp"
#include "rows.hpp"
#include "trace_file.hpp"
#include "verify/display.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using models::mutant;
using models::program;
using models::structure;

bool has(const structure& s, const std::string& mutant_name) {
  return mutant_name.empty() || std::ranges::find(s.mutants, mutant_name, &mutant::name) != s.mutants.end();
}

/// What a structure will cost, in executions, by what the audit recorded.
double work_of(const structure& s, std::size_t rows) {
  constexpr double a_row = 3'000;
  return (static_cast<double>(rows) * a_row) + static_cast<double>(s.programs.size()) * a_row;
}

struct planned {
  const structure* of;
  display::part part;
};

/// The structures with something to check, the cheapest first; where several run side by side, the dearest before all.
std::vector<planned> plan(const verify_options& options, bool side_by_side) {
  std::vector<planned> all;
  for (const structure& s : models::structures()) {
    if (!chosen(options.structures, s.name) || !has(s, options.broken_by)) continue;
    const std::size_t rows = inspection(s, options, 1).rows();
    if (rows != 0) all.push_back({&s, {std::string(s.name), work_of(s, rows), rows}});
  }
  std::ranges::stable_sort(all, {}, [](const planned& p) { return p.part.work; });
  if (side_by_side && all.size() > 2) std::ranges::rotate(all, all.end() - 1);
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
  // A broken algorithm is a program of its own.
  if (found->mutant != found->program) t.mutant = found->mutant.empty() ? options.broken_by : found->mutant;
  t.found = found->checker == exhaustive_name ? found->checker : found->got.bound;
  t.kind = found->got.kind;
  t.message = found->got.failure;
  t.how = found->got.how;
  t.steps = found->got.steps;
  write(options.trace, t);
  fmt::print("{}: the execution of {}; licit replay {}\n", options.trace, found->program, options.trace);
}

/// In this process, which has then what is drawn.
void run_here(const std::vector<planned>& all, const verify_options& options, unsigned jobs, display& shown) {
  std::vector<result> results;
  for (std::size_t i = 0; i != all.size(); ++i) {
    inspection(*all[i].of, options, jobs).run([&](const result& r) {
      shown.heard(i, report_of(r));
      if (r.got.outcome == models::outcome_of_check::violation) results.push_back(r);
    });
    shown.ended(i);
  }
  draw(options.draw, results);
  if (!options.trace.empty()) write_trace(options, results);
}

void run_side_by_side(const std::vector<planned>& all, const verify_options& options, unsigned jobs, display& shown) {
  std::vector<task> tasks;
  for (const planned& p : all) {
    tasks.push_back({p.part.structure, [&](const sender& say) {
                       inspection(*p.of, options, 1).run([&](const result& r) { say(packed(report_of(r))); });
                     }});
  }
  run(tasks, jobs,
      {.heard = [&](std::size_t i, std::string_view message) { shown.heard(i, unpacked(message)); },
       .ended = [&](std::size_t i) { shown.ended(i); },
       .idle = [&] { shown.idle(); }});
}

}  // namespace

int verify(const verify_options& options) {
  if (options.shard && (options.checkers.size() != 1 || options.checkers[0] != exhaustive_name)) {
    throw std::runtime_error("--shard needs --checker exhaustive: the searches of the others are not split");
  }
  const unsigned jobs = options.jobs == 0 ? processors() : options.jobs;
  const bool side_by_side = options.structures.size() != 1 && !options.wants_execution();
  const std::vector<planned> all = plan(options, side_by_side && jobs > 1);
  if (all.empty()) throw std::runtime_error("nothing to check: no chosen structure has what is named");
  std::vector<display::part> parts;
  for (const planned& p : all) parts.push_back(p.part);
  display shown(options, std::move(parts));
  if (side_by_side && all.size() > 1) {
    run_side_by_side(all, options, jobs, shown);
  } else {
    run_here(all, options, options.jobs == 0 ? 1 : options.jobs, shown);
  }
  shown.close();
  if (!options.json.empty()) write_json(options.json, shown.rows());
  return shown.status();
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
                 m.relacy_blind.empty() ? "" : "not by Relacy: " + std::string(m.relacy_blind));
    }
    if (!s.broken.empty()) fmt::print("  broken algorithms (each must be caught by the exhaustive checker):\n");
    for (const program& p : s.broken) fmt::print("    {:<28} {}\n", p.about.name, p.about.property);
    fmt::print("\n");
  }
}

}  // namespace licit::tool
