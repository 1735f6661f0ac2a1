// Executions of the checker's model of memory chosen by chance: for programs that are too large to exhaust.
#include <algorithm>
#include <fmt/core.h>
#include <vector>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/column.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

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

cell judge(const row& r, const budget& b, std::string_view program, checker::mode how) {
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
  return {
      .name = std::move(name),
      .title = std::move(title),
      .how = std::move(how),
      .judge = [mode](const row& r, const budget& b, std::string_view program) { return judge(r, b, program, mode); }};
}

}  // namespace

column random_column() {
  return sampling_column("random", "random walk",
                         "native weak-memory sampling: executions of the checker's model, ghosts included, each choice "
                         "as likely as the others; the median of the seeds that caught it",
                         checker::mode::random);
}

column pct_column() {
  return sampling_column(
      "pct", "PCT",
      fmt::format("the same by random priorities (PCT, depth {}): the median of the seeds that caught it", pct_depth),
      checker::mode::pct);
}

}  // namespace licit::matrix
