/// The checker against the oracle, on random programs: the same set of executions, each found once.
///
/// The number of programs and the seed are arguments: oracle_test [programs [seed]].
#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explored.hpp"
#include "support/scale.hpp"

namespace licit::checker_test {

namespace {

const auto programs = static_cast<unsigned>(licit_test::from_environment("LICIT_PROGRAMS", 2000));
const std::uint64_t seed = licit_test::from_environment("LICIT_SEED", 1);

struct tally {
  std::uint64_t programs = 0;
  std::uint64_t racy = 0;
  std::uint64_t executions = 0;
  std::uint64_t alike = 0;      ///< programs of which the checker says that both rules allow the same executions
  std::uint64_t different = 0;  ///< programs of which they do not
};

struct found {
  checker::verdict verdict;
  std::vector<std::string> executions;
};

found compare(const straight_line& program, checker::release_sequences rule, sequences same, tally& t) {
  checker::verdict v;
  std::vector<std::string> found = explored(program, {.sequences = rule}, &v);
  const answer expected = ask(program, same);
  ++t.programs;
  EXPECT_EQ(v.kind, expected.racy ? checker::violation::race : checker::violation::none) << text(program) << v.message;
  checker::verdict again;
  EXPECT_EQ(explored<going_back::refused>(program, {.sequences = rule}, &again), found) << text(program);
  EXPECT_EQ(again.rejected, v.rejected) << text(program);
  EXPECT_EQ(again.trace, v.trace);
  if (expected.racy) {
    ++t.racy;  // and its executions are not defined
    return {v, {}};
  }
  t.executions += found.size();
  EXPECT_EQ(found.size(), expected.executions.size());
  std::sort(found.begin(), found.end());
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_NE(found[i], found[i - 1]) << "explored twice, in\n" << text(program);
  }
  for (const std::string& e : found) {
    EXPECT_TRUE(expected.executions.contains(e)) << "inconsistent: " << e << " of\n" << text(program);
  }
  for (const std::string& e : expected.executions) {
    EXPECT_TRUE(std::binary_search(found.begin(), found.end(), e)) << "missing: " << e << " of\n" << text(program);
  }
  return {v, std::move(found)};
}

void compare_rules(const straight_line& program, const found& newer, const found& older, tally& t) {
  const bool same = newer.verdict.kind == older.verdict.kind && newer.executions == older.executions;
  if (!newer.verdict.rules_differ) {
    ++t.alike;
    EXPECT_TRUE(same) << "the rules were said to be alike for\n" << text(program);
  }
  if (!same) ++t.different;
}

/// Another way to the same set: walks at random, until they have come to all of it.
void compare_walks(const straight_line& program, checker::release_sequences rule, unsigned& complete) {
  const std::vector<std::string> list = explored(program, {.sequences = rule});
  const std::set<std::string> all(list.begin(), list.end());
  std::set<std::string> found;
  constexpr std::size_t small = 8;
  const std::uint64_t most_seeds = all.size() <= small ? 400 : 2;
  for (std::uint64_t s = 1; s <= most_seeds && found.size() < all.size(); ++s) {
    const checker::options o{.sequences = rule, .how = checker::mode::random, .sample = {.executions = 250, .seed = s}};
    const std::vector<std::string> some = explored(program, o);
    found.insert(some.begin(), some.end());
  }
  for (const std::string& e : found) EXPECT_TRUE(all.contains(e)) << "walked: " << e << " of\n" << text(program);
  if (all.size() <= small) {
    EXPECT_EQ(found.size(), all.size()) << text(program);
  }
  complete += found.size() == all.size() ? 1U : 0U;
}

TEST(oracle, random_walks_have_the_same_executions) {
  program_author a{seed};
  unsigned walked = 0;
  unsigned complete = 0;
  for (unsigned i = 0; i != programs / 5 && !testing::Test::HasFailure(); ++i) {
    const straight_line program = a.program();
    if (run(program).outcome != checker::outcome::ok) continue;
    compare_walks(program, checker::release_sequences::cxx20, complete);
    ++walked;
  }
  std::printf("walks through %u programs: through %u of them, all executions\n", walked, complete);
  EXPECT_GT(2 * complete, walked);
}

/// A write that revisits a read stands before a newer write, and by its place closes a cycle of psc. Few random
/// programs do.
TEST(oracle, agrees_where_the_place_of_a_revisiting_write_closes_a_cycle) {
  using namespace shorthand;  // NOLINT(google-build-using-namespace)
  constexpr order acq = order::acquire, rel = order::release, sc = order::seq_cst;
  const std::array<straight_line, 3> all{{
      {{W(0, 1, sc), W(1, 2, sc)}, {R(0, sc), R(0, sc), R(0, acq)}, {R(0), W(1, 3, sc), W(0, 4, sc)}},
      {{W(0, 1, rel), F(), R(1)}, {W(1, 2), R(0)}, {R(1, acq), W(1, 3, sc), W(0, 4, sc)}},
      {{W(1, 1, sc), F(), W(0, 2, rel)}, {R(1), W(0, 3)}, {W(0, 4, rel), F(), W(1, 5)}},
  }};
  tally t;
  for (const straight_line& program : all)
    (void)compare(program, checker::release_sequences::cxx20, sequences::cxx20, t);
  EXPECT_EQ(t.executions, 50U + 39 + 27);
}

TEST(oracle, random_programs_have_the_same_executions) {
  program_author a{seed};
  tally t;
  for (unsigned i = 0; i != programs && !testing::Test::HasFailure(); ++i) {
    const straight_line program = a.program();
    const found newer = compare(program, checker::release_sequences::cxx20, sequences::cxx20, t);
    const found older = compare(program, checker::release_sequences::cxx11, sequences::cxx11, t);
    compare_rules(program, newer, older, t);
  }
  EXPECT_GT(2 * t.alike, programs);
  EXPECT_GT(t.different, 0U);
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%u programs under two rules: %llu race, the others have %llu executions; %llu said to be alike, %llu not\n",
      programs, number(t.racy), number(t.executions), number(t.alike), number(t.different));
}

}  // namespace
}  // namespace licit::checker_test
