/// Equal threads that wait: on random programs, whose equal threads may sleep, await, lock or go round in a loop, the
/// search with symmetry has the outcomes and verdicts of the search without. Where no thread goes round in a loop, what
/// the executions stand for adds up to all.
///
/// LICIT_PROGRAMS and LICIT_SEED say how many programs and from which seed.
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "waiting_steps.hpp"

namespace licit::checker_test {
namespace {

using namespace waiting;

const std::size_t programs = licit_test::from_environment("LICIT_PROGRAMS", 1500);
const auto seed = static_cast<unsigned>(licit_test::from_environment("LICIT_SEED", 1));

struct found {
  checker::verdict verdict;
  std::set<std::string> outcomes;  ///< what the equal threads did, in no order
  std::set<std::string> executions;
  bool twice = false;  ///< an execution
};

checker::verdict explore(const text& program, const checker::options& o) {
  client::program = &program;
  return program.size() == 2 ? checker::run_program<client_of<2>>(o) : checker::run_program<client_of<3>>(o);
}

found explored(const text& program, const std::vector<unsigned>& equal, checker::options o) {
  found f;
  o.observe = [&](const checker::detail::graph& g) {
    std::array<int, locations> last{};
    for (unsigned l = 0; l != locations; ++l) {
      const auto w = g.last_write(static_cast<checker::detail::location_id>(l));
      last[l] = w == checker::detail::initial ? 0 : static_cast<int>(g[w].value);
    }
    logs done = client::done;
    std::vector<std::string> of_equal;
    for (const unsigned t : equal) of_equal.push_back(done[t]);
    std::ranges::sort(of_equal);
    for (std::size_t i = 0; i != equal.size(); ++i) done[equal[i]] = of_equal[i];
    f.outcomes.insert(outcome(done, last));
    f.twice = !f.executions.insert(canonical(g)).second || f.twice;
  };
  f.verdict = explore(program, o);
  return f;
}

struct tally {
  std::uint64_t visited = 0;
  std::uint64_t represented = 0;
  std::uint64_t deadlocks = 0;
};

bool spins(const text& program) {
  return std::ranges::any_of(program, [](const auto& thread) {
    return std::ranges::any_of(thread, [](const step& i) { return i.what == verb::spin; });
  });
}

void compare(const text& program, const std::vector<unsigned>& equal, tally& t) {
  const found all = explored(program, equal, {.deadlocks = false});
  const found some = explored(program, equal, {.deadlocks = false, .equal = {equal}});
  ASSERT_EQ(some.verdict.outcome, checker::outcome::ok) << some.verdict.message << "\n" << shown(program);
  ASSERT_FALSE(some.twice) << shown(program);
  ASSERT_EQ(some.outcomes, all.outcomes) << shown(program);
  ASSERT_EQ(some.verdict.deadlocked == 0, all.verdict.deadlocked == 0) << shown(program);
  EXPECT_EQ(explore(program, {.equal = {equal}}).outcome, explore(program, {}).outcome) << shown(program);
  if (spins(program)) return;
  ASSERT_EQ(some.verdict.represented, all.verdict.executions) << shown(program);
  t.visited += some.verdict.executions;
  t.represented += some.verdict.represented;
  t.deadlocks += some.verdict.deadlocked;
}

TEST(symmetry_waiting, random_programs_have_the_same_outcomes) {
  constexpr unsigned verbs = 11;
  const std::array<std::vector<unsigned>, 5> shapes{{{0, 1}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}}};
  std::mt19937 random(seed);
  tally t;
  for (std::size_t n = 0; n != programs && !testing::Test::HasFailure(); ++n) {
    const std::size_t shape = random() % shapes.size();
    const std::vector<unsigned>& equal = shapes[shape];
    text program(shape == 0 ? 2 : 3);
    for (auto& thread : program) thread = random_thread(random, 1 + static_cast<unsigned>(random() % 3), verbs);
    for (const unsigned u : equal) program[u] = program[equal.front()];
    compare(program, equal, t);
  }
  std::printf("  %zu programs: of those without loops %llu executions, of which %llu were visited; %llu deadlocks\n",
              programs, static_cast<unsigned long long>(t.represented), static_cast<unsigned long long>(t.visited),
              static_cast<unsigned long long>(t.deadlocks));
}

}  // namespace
}  // namespace licit::checker_test
