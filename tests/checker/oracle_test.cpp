/// The checker against the oracle, on random programs: the same set of executions, each found once.
///
/// The number of programs and the seed are arguments: oracle_test [programs [seed]].
#include "oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "environment.hpp"
#include "explored.hpp"

namespace licit::checker_test {

namespace {

const auto programs = static_cast<unsigned>(from_environment("LICIT_PROGRAMS", 2000));
const std::uint64_t seed = from_environment("LICIT_SEED", 1);

/// Writes programs, each in one of several tastes, so that what needs many seq_cst operations, fences or
/// read-modify-writes close together comes often enough.
class author {
 public:
  explicit author(std::uint64_t s) : random_{s} {}

  straight_line program() {
    asymmetric_ = one_in(4);
    if (one_in(4)) return dressed(shapes[below(static_cast<unsigned>(shapes.size()))]);
    straight_line made;
    do {
      made = attempt();
    } while (cost(made) > most_candidates);
    return made;
  }

 private:
  static constexpr double most_candidates = 20'000;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }

  straight_line attempt() {
    taste_ = below(4);
    locations_ = one_in(5) ? 1 : one_in(5) ? 3 : 2;
    plain_ = one_in(3) ? below(2) + 1 : 0;
    straight_line made(below(3) + 2);
    for (unsigned left = below(5) + 5; left != 0; --left) {
      std::vector<instruction>& thread = made[below(static_cast<unsigned>(made.size()))];
      if (one_in(taste_ == fences ? 2 : 8)) thread.push_back(fence());
      thread.push_back(access());
    }
    return made;
  }

  /// About how many candidates the oracle would have to try.
  static double cost(const straight_line& program) {
    std::array<double, most_locations> writes{};
    std::array<double, most_locations> reads{};
    double candidates = 1;
    for (const auto& thread : program) {
      for (const instruction& i : thread) {
        if (i.what == verb::fence || i.what == verb::light_fence || i.what == verb::heavy_fence) continue;
        const bool only_reads = i.what == verb::load || i.what == verb::plain_read;
        if (!only_reads) ++writes[i.at];
        if (i.what != verb::store && i.what != verb::plain_write) ++reads[i.at];
      }
    }
    for (std::size_t l = 0; l != most_locations; ++l) {
      candidates *= std::pow(writes[l] + 1, reads[l]) * std::tgamma(writes[l] + 1);
    }
    return candidates;
  }

  /// Shapes of the litmus literature in which seq_cst differs from release and acquire: "Wx" writes x, "Ax" adds to it.
  static constexpr std::array<std::string_view, 11> shapes{
      "Wx Wy|Ry Rz|Wz Rx",     // W+RWC
      "Wx|Rx Ry|Wy Rx",        // RWC
      "Wx Wy|Ay Ry|Wy Rx",     // Z6.U
      "Wx Ry|Wy Rz|Wz Rx",     // SB in a ring of three
      "Wx|Wy|Rx Ry|Ry Rx",     // IRIW
      "Wx Wy|Wy Wx|Rx Ry",     // 2+2W, watched
      "Wx Wx|Rx Ry|Wy Rx",     // RWC with two writes
      "Wx Ay|Ay Rx|Wx Ry",     // updates between
      "Rx Wy|Ry Ax Wz|Rz Rx",  // ISA2 with a read in front
      "Wx|Rx|Ax|Wx",           // the write of a revisited update revisits in its turn
      "Wx|Rx Rx|Ax|Wx",
  };

  /// A shape with orders, and now and then a fence.
  straight_line dressed(std::string_view shape) {
    using enum order;
    taste_ = one_in(2) ? sequential : fences;
    straight_line made(1);
    for (std::size_t i = 0; i < shape.size();) {
      if (shape[i] == '|') made.emplace_back();
      if (shape[i] == '|' || shape[i] == ' ') {
        ++i;
        continue;
      }
      const unsigned at = static_cast<unsigned>(shape[i + 1] - 'x');
      if (!made.back().empty() && one_in(asymmetric_ ? 2 : 3)) made.back().push_back(fence());
      switch (shape[i]) {
        case 'R': made.back().push_back({verb::load, at, one_of({relaxed, acquire, seq_cst})}); break;
        case 'W': made.back().push_back({verb::store, at, one_of({relaxed, release, seq_cst}), relaxed, 1}); break;
        default: made.back().push_back({verb::fetch_add, at, one_of({relaxed, acq_rel, seq_cst}), relaxed, 1});
      }
      i += 2;
    }
    return made;
  }

  template <std::size_t N>
  order one_of(const order (&orders)[N]) {
    if (taste_ == sequential && !one_in(3)) return order::seq_cst;
    return orders[below(N)];
  }

  instruction fence() {
    using enum order;
    if (asymmetric_ && !one_in(3)) return one_in(2) ? shorthand::light() : shorthand::heavy();
    return {verb::fence, 0, one_of({acquire, release, acq_rel, seq_cst, seq_cst})};
  }

  instruction access() {
    using enum order;
    const unsigned at = below(locations_);
    const int value = static_cast<int>(below(3)) + 1;
    if (plain_ != 0 && one_in(3)) {
      return {one_in(2) ? verb::plain_read : verb::plain_write, first_plain + below(plain_), relaxed, relaxed, value};
    }
    if (one_in(taste_ == updates ? 2 : 6)) {
      if (one_in(3)) return {verb::fetch_add, at, one_of({relaxed, acquire, release, acq_rel, seq_cst}), relaxed, 1};
      return {one_in(4) ? verb::weak_compare_exchange : verb::compare_exchange,
              at,
              one_of({relaxed, acquire, release, acq_rel, seq_cst}),
              one_of({relaxed, acquire, seq_cst}),
              value,
              static_cast<int>(below(3))};
    }
    if (one_in(2)) return {verb::load, at, one_of({relaxed, acquire, seq_cst})};
    return {verb::store, at, one_of({relaxed, release, seq_cst}), relaxed, value};
  }

  enum : unsigned { fences, sequential, updates };

  std::mt19937_64 random_;
  bool asymmetric_ = false;
  unsigned taste_ = 0;
  unsigned locations_ = 1;
  unsigned plain_ = 0;
};

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
  author a{seed};
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
  author a{seed};
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
