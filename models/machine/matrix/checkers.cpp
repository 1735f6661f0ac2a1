// The columns of this process: the exhaustive checker, Relacy, and samples of the checker's executions.
#include <algorithm>
#include <fmt/core.h>
#include <vector>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

// The exhaustive checker: a row's programs one after another, the smallest first, until one is violated.

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

cell judge_exhaustively(const row& r, const budget& b, std::string_view program) {
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
              "the exhaustive checker: every execution of RC11 once, with ghosts for load buffering; it explores the "
              "programs "
              "one after another, the smallest first, up to the first violation",
          .judge = judge_exhaustively};
}

// Relacy, for those structures and programs that it can run.

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

cell judge_by_relacy(const row& r, const budget& b, std::string_view program) {
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
          .judge = judge_by_relacy};
}

// Executions of the checker's model of memory chosen by chance: for programs that are too large to exhaust.

namespace {

constexpr unsigned pct_depth = 3;

/// One seed: the programs in turn, a few executions of each and then more of each, as they may differ in size.
class sampler {
 public:
  sampler(const row& r, checker::mode how, std::uint64_t most, std::string_view program)
      : programs_{programs_of(r)}, how_{how}, most_{most} {
    std::erase_if(programs_, [&](const suites::program* p) { return !program.empty() && p->about.name != program; });
  }

  /// The executions until one was violated, or all.
  std::uint64_t run(std::uint64_t seed, cell& c) {
    std::uint64_t done = 0;
    for (std::uint64_t round = 0, each = first_round; done < most_; ++round, each *= 4) {
      for (const suites::program* p : programs_) {
        const std::uint64_t many = std::min(each, most_ - done);
        if (many == 0) break;
        const checker::verdict v = p->explore(
            {.how = how_,
             .sample = {.executions = many, .seed = seed * rounds + round, .depth = pct_depth, .bytes = {}}});
        done += v.number + 1;
        c.seconds += v.seconds;
        if (v.outcome == checker::outcome::violation) {
          found(*p, v, c);
          return done;
        }
      }
    }
    return done;
  }

 private:
  static constexpr std::uint64_t first_round = 50;
  static constexpr std::uint64_t rounds = 1000;  // more than there are, so that no two seeds have one in common

  static void found(const suites::program& p, const checker::verdict& v, cell& c) {
    ++c.caught_by;
    if (!c.program.empty()) return;
    c.program = p.about.name;
    c.what = fmt::format("{}: {}", name(v.kind), v.message);
  }

  std::vector<const suites::program*> programs_;
  checker::mode how_;
  std::uint64_t most_;
};

cell judge_samples(const row& r, const budget& b, std::string_view program, checker::mode how) {
  const applied change(r);
  cell c{.found = finding::not_caught, .seeds = b.seeds};
  sampler one(r, how, b.sample, program);
  std::vector<std::uint64_t> until;
  std::uint64_t all = 0;
  for (unsigned seed = 1; seed <= b.seeds; ++seed) {
    const unsigned before = c.caught_by;
    const std::uint64_t executions = one.run(seed, c);
    all += executions;
    if (c.caught_by != before) until.push_back(executions);
  }
  c.executions = until.empty() ? all : median(until);
  if (!until.empty()) c.found = finding::caught;
  return c;
}

column sampling_column(std::string name, std::string title, std::string how, checker::mode mode) {
  return {.name = std::move(name),
          .title = std::move(title),
          .how = std::move(how),
          .judge = [mode](const row& r, const budget& b, std::string_view program) {
            return judge_samples(r, b, program, mode);
          }};
}

}  // namespace

column random_column() {
  return sampling_column("random", "random walk",
                         "native weak-memory sampling: executions of the checker's model, including ghosts, with all "
                         "choices equally likely; the median of the seeds that caught it",
                         checker::mode::random);
}

column pct_column() {
  return sampling_column(
      "pct", "PCT",
      fmt::format("the same with random priorities (PCT, depth {}): the median of the seeds that caught it", pct_depth),
      checker::mode::pct);
}

}  // namespace licit::matrix
