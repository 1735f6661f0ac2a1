#include "verify/command.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/deque/version.hpp>

#include "audit/record.hpp"
#include "processes.hpp"
#include "rows.hpp"
#include "suites/catalogue.hpp"
#include "trace_file.hpp"
#include "verify/display.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using suites::mutant;
using suites::program;
using suites::structure;

bool has(const structure& s, const std::string& mutant_name) {
  return mutant_name.empty() || std::ranges::find(s.mutants, mutant_name, &mutant::name) != s.mutants.end();
}

/// What the structures will cost, in executions: the recorded audit says how many their programs have.
class estimate {
 public:
  double of(const structure& s, std::size_t rows) const {
    constexpr double a_row = 3'000;
    double executions = static_cast<double>(rows) * a_row;
    for (const json& recorded : record_["structures"]) {
      if (recorded["structure"] != s.name) continue;
      for (const json& rule : recorded["rules"]) executions += rule["executions"].get<double>();
    }
    return executions;
  }

 private:
  json record_ = own_record();
};

struct planned {
  const structure* of;
  display::part part;
};

/// The structures with something to check, the cheapest first; where several run side by side, the dearest before all.
std::vector<planned> plan(const verify_options& options, bool side_by_side) {
  std::vector<planned> all;
  const estimate work;
  for (const structure& s : suites::structures()) {
    if (!chosen(options.structures, s.name) || !has(s, options.broken_by)) continue;
    const std::size_t rows = inspection(s, options, 1).rows();
    if (rows != 0) all.push_back({&s, {std::string(s.name), work.of(s, rows), rows}});
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
  t.kind = name(found->got.kind);
  t.message = found->got.message;
  t.how = found->got.options;
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
      if (r.got.outcome == checker::outcome::violation) results.push_back(r);
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
  if (!options.client.empty() && options.structures.size() != 1) {
    throw std::runtime_error("--client needs one --structure, whose words the line has");
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
