// The exhaustive checker: a row's programs one after another, the smallest first, until one is violated.
#include <fmt/core.h>

#include "machine/matrix/column.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

namespace {

/// Of the model of memory.
struct rules {
  checker::release_sequences sequences = checker::release_sequences::cxx20;
  bool ghosts = true;
};

cell hunt(const row& r, const budget& b, const rules& by, std::string_view program) {
  cell c{.found = finding::not_caught, .complete = true};
  for (const suites::program* p : programs_of(r)) {
    if (!program.empty() && p->about.name != program) continue;
    const checker::verdict v =
        p->explore({.sequences = by.sequences, .max_executions = b.exhaustive, .ghosts = by.ghosts});
    c.executions += v.executions;
    c.seconds += v.seconds;
    if (v.outcome == checker::outcome::limit) {
      c.complete = false;
      c.note +=
          fmt::format("{}{}: given up after {} executions", c.note.empty() ? "" : "; ", p->about.name, v.executions);
    }
    if (v.outcome != checker::outcome::violation) continue;
    c.found = finding::caught;
    c.complete = false;
    c.executions += 1;  // the violating one is not counted as complete
    c.program = p->about.name;
    c.what = fmt::format("{}: {}", name(v.kind), v.message);
    return c;
  }
  return c;
}

/// Beside the finding: what it would be by other rules. A mutant that these let pass in all executions is caught by
/// what they lack alone.
void compare(const row& r, const budget& b, const rules& other, std::string_view without, std::string_view only,
             cell& c) {
  const cell by_other = hunt(r, b, other, {});
  c.seconds += by_other.seconds;
  if (by_other.found == c.found && (c.caught() || by_other.complete == c.complete)) return;
  c.note += fmt::format("{}{}: {} {} executions{}", c.note.empty() ? "" : "; ", without,
                        by_other.caught() ? "caught after" : "not caught in", by_other.executions,
                        by_other.complete ? ", which are all" : "");
  if (c.caught() && by_other.complete) c.only = only;
}

cell judge(const row& r, const budget& b, std::string_view program) {
  const applied change(r);
  cell c = hunt(r, b, {}, program);
  if (!b.both_rules) return c;
  compare(r, b, {.sequences = checker::release_sequences::cxx11}, "under C++11's release sequences",
          "C++20's release sequences", c);
  if (c.caught()) compare(r, b, {.ghosts = false}, "without ghosts", "load buffering", c);
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
