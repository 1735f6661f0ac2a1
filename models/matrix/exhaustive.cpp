// The exhaustive checker: a row's programs one after another, the smallest first, until one is violated.
#include <fmt/core.h>

#include "matrix/column.hpp"
#include "matrix/rows.hpp"

namespace licit::matrix {

namespace {

using checker::release_sequences;

cell hunt(const row& r, const budget& b, release_sequences rule, std::string_view program) {
  cell c{.found = finding::not_caught, .complete = true};
  for (const models::program* p : programs_of(r)) {
    if (!program.empty() && p->about.name != program) continue;
    const checker::verdict v = p->explore({.sequences = rule, .max_executions = b.exhaustive});
    c.executions += v.executions;
    c.seconds += v.seconds;
    if (v.end == checker::ending::limit) {
      c.complete = false;
      c.note +=
          fmt::format("{}{}: given up after {} executions", c.note.empty() ? "" : "; ", p->about.name, v.executions);
    }
    if (v.end != checker::ending::violation) continue;
    c.found = finding::caught;
    c.complete = false;
    c.executions += 1;  // the violating one is not counted as complete
    c.program = p->about.name;
    c.what = fmt::format("{}: {}", name(v.kind), v.message);
    return c;
  }
  return c;
}

/// Beside the finding under C++20's rule: what C++11's would change.
void compare_rules(const row& r, const budget& b, std::string_view program, cell& c) {
  const cell old = hunt(r, b, release_sequences::cxx11, program);
  c.seconds += old.seconds;
  if (old.found == c.found && (c.caught() || old.complete == c.complete)) return;
  c.note += fmt::format("{}under C++11's release sequences {} {} executions{}", c.note.empty() ? "" : "; ",
                        old.caught() ? "caught after" : "not caught in", old.executions,
                        old.complete ? ", which are all" : "");
}

cell judge(const row& r, const budget& b, std::string_view program) {
  const applied change(r);
  cell c = hunt(r, b, release_sequences::cxx20, program);
  if (b.both_rules) compare_rules(r, b, program, c);
  return c;
}

}  // namespace

column exhaustive_column() {
  return {.name = "exhaustive",
          .title = "exhaustive",
          .how =
              "the exhaustive checker: every execution of RC11 once, ghosts for load buffering; the programs one "
              "after another, the smallest first, until one is violated",
          .judge = judge};
}

}  // namespace licit::matrix
