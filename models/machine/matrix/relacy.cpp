// Relacy, for those structures and programs that it can run.
#include <algorithm>
#include <fmt/core.h>

#include "machine/matrix/column.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

namespace {

using models::relacy::search;
using models::relacy::settings;

/// Whether the program was found wrong.
bool run(const suites::program& p, const settings& s, cell& c) {
  const checker::verdict v = p.under_relacy(s);
  c.executions += v.executions;
  c.seconds += v.seconds;
  if (v.outcome == checker::outcome::limit) c.note = "a bounded search was given up at its limit";
  if (v.outcome != checker::outcome::violation) return false;
  c.found = finding::caught;
  c.program = p.about.name;
  c.what = v.message;
  return true;
}

std::vector<const suites::program*> runnable(const row& r, std::string_view program) {
  std::vector<const suites::program*> all = programs_of(r);
  std::erase_if(all, [&](const suites::program* p) {
    return p->under_relacy == nullptr || (!program.empty() && p->about.name != program);
  });
  return all;
}

/// With three preemptions where that can be finished, and then at random.
bool hunt(const std::vector<const suites::program*>& programs, const budget& b, bool bounded, std::uint64_t random,
          cell& c) {
  for (const suites::program* p : programs) {
    if (!bounded || p->about.relacy == suites::reach::sampled) continue;
    if (run(*p, {.how = search::bound, .limit = b.exhaustive, .progress = {}}, c)) return true;
  }
  return std::ranges::any_of(programs, [&](const suites::program* p) {
    return run(*p, {.how = search::random, .executions = random, .limit = b.exhaustive, .progress = {}}, c);
  });
}

cell judge(const row& r, const budget& b, std::string_view program) {
  const suites::structure& s = structure_of(r);
  if (!s.no_relacy.empty()) return cannot_see(std::string(s.no_relacy));
  if (r.what == kind::broken) return not_run("broken algorithms are not built with Relacy");
  const auto programs = runnable(r, program);
  if (programs.empty()) return not_run("Relacy runs none of the programs");
  const applied change(r);
  cell c{.found = finding::not_caught, .seeds = 0};
  const bool blind = !r.relacy_blind.empty();
  hunt(programs, b, !blind, blind ? std::max<std::uint64_t>(b.relacy / 10, 1) : b.relacy, c);
  if (!blind || c.caught()) return c;
  c.found = finding::cannot_see;
  c.reason = r.relacy_blind;
  return c;
}

}  // namespace

column relacy_column() {
  return {.name = "relacy",
          .title = "Relacy",
          .how =
              "Relacy: executions with at most three preemptions where they can be finished, then a random sample of "
              "each program; its own model of memory (C++11's release sequences, no load buffering)",
          .judge = judge};
}

}  // namespace licit::matrix
