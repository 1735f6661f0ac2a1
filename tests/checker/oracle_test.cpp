/// The checker against the oracle, on random programs: the same set of executions, each found once.
///
/// The number of programs and the seed are arguments: oracle_test [programs [seed]].
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "explored.hpp"
#include "oracle.hpp"

namespace licit::checker_test {

unsigned programs = 2000;
std::uint64_t seed = 1;

namespace {

class author {
 public:
  explicit author(std::uint64_t s) : random_{s} {}

  straight_line program() {
    locations_ = below(3) + 1;
    unsigned left = below(6) + 3;  // events
    straight_line made(below(3) + 2);
    bias_ = below(4);
    plain_ = below(3) == 0 ? below(2) + 1 : 0;
    for (std::size_t t = 0; t != made.size(); ++t) {
      const unsigned share = t + 1 == made.size() ? left : std::min(left, below(4) + 1);
      for (unsigned used = 0; used < std::min(share, 4U);) {
        const instruction i = next();
        used += i.what == verb::load || i.what == verb::store || i.what == verb::fence || i.at >= first_plain ? 1U : 2U;
        made[t].push_back(i);
      }
      left -= std::min(left, share);
    }
    return made;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  template <std::size_t N>
  order one_of(const order (&orders)[N]) {
    if (bias_ == 0 && below(2) == 0) return order::seq_cst;  // some programs have much of it: psc needs several
    return orders[below(N)];
  }

  instruction next() {
    using enum order;
    const unsigned at = below(locations_);
    const int value = static_cast<int>(below(3)) + 1;
    if (plain_ != 0 && below(3) == 0) {
      const unsigned cell = first_plain + below(plain_);
      return {below(2) == 0 ? verb::plain_read : verb::plain_write, cell, relaxed, relaxed, value};
    }
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
      case 3: return {verb::load, at, one_of({relaxed, acquire, seq_cst})};
      case 4:
      case 5:
      case 6:
      case 7: return {verb::store, at, one_of({relaxed, release, seq_cst}), relaxed, value};
      case 8: return {verb::fetch_add, at, one_of({relaxed, acquire, release, acq_rel, seq_cst}), relaxed, 1};
      case 9:
      case 10: {
        const verb which = below(4) == 0 ? verb::weak_compare_exchange : verb::compare_exchange;
        return {which, at, one_of({relaxed, acquire, release, acq_rel, seq_cst}), one_of({relaxed, acquire, seq_cst}),
                value, static_cast<int>(below(3))};
      }
      default: return {verb::fence, 0, one_of({acquire, release, acq_rel, seq_cst})};
    }
  }

  std::mt19937_64 random_;
  unsigned locations_ = 1;
  unsigned bias_ = 0;
  unsigned plain_ = 0;
};

struct tally {
  std::uint64_t programs = 0;
  std::uint64_t racy = 0;
  std::uint64_t executions = 0;
};

void compare(const straight_line& program, checker::release_sequences rule, sequences same, tally& t) {
  checker::verdict v;
  std::vector<std::string> found = explored(program, {.sequences = rule}, &v);
  const answer expected = ask(program, same);
  ++t.programs;
  EXPECT_EQ(v.kind, expected.racy ? checker::violation::race : checker::violation::none) << text(program) << v.message;
  if (expected.racy) {
    ++t.racy;  // and its executions are not defined
    return;
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
}

TEST(oracle, random_programs_have_the_same_executions) {
  author a{seed};
  tally t;
  for (unsigned i = 0; i != programs && !testing::Test::HasFailure(); ++i) {
    const straight_line program = a.program();
    compare(program, checker::release_sequences::cxx20, sequences::cxx20, t);
    compare(program, checker::release_sequences::cxx11, sequences::cxx11, t);
  }
  std::printf("%u programs under two rules: %llu race, the others have %llu executions\n", programs,
              static_cast<unsigned long long>(t.racy), static_cast<unsigned long long>(t.executions));
}

}  // namespace
}  // namespace licit::checker_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) licit::checker_test::programs = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  if (argc > 2) licit::checker_test::seed = std::strtoull(argv[2], nullptr, 10);
  return RUN_ALL_TESTS();
}
