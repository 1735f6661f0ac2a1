/// Equal threads: on random programs the search visits one execution of each orbit that the oracle's executions have
/// under permutations of equal threads, what it says that they stand for adds up to all, and verdicts are the same.
///
/// LICIT_PROGRAMS and LICIT_SEED say how many programs and from which seed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/checker/edges.hpp>
#include <licit/checker/explore.hpp>

#include <gtest/gtest.h>

#include "deque_line.hpp"
#include "explored.hpp"
#include "oracle.hpp"
#include "support/scale.hpp"

namespace licit::checker_test {
namespace {

using namespace shorthand;
using checker::outcome;
using checker::violation;
using groups = std::vector<std::vector<unsigned>>;

const std::size_t programs = licit_test::from_environment("LICIT_PROGRAMS", 1500);
const std::uint64_t seed = licit_test::from_environment("LICIT_SEED", 1);

/// Calls `visit` with the new number of each thread, for all permutations of equal threads.
template <class Visit>
void for_each_naming(const groups& equal, const Visit& visit) {
  std::array<unsigned, checker::max_threads> names{};
  for (unsigned t = 0; t != names.size(); ++t) names[t] = t;
  for (groups permuted = equal;;) {
    for (std::size_t n = 0; n != equal.size(); ++n) {
      for (std::size_t i = 0; i != equal[n].size(); ++i) names[equal[n][i]] = permuted[n][i];
    }
    visit(names);
    if (std::ranges::none_of(permuted, [](auto& g) { return std::ranges::next_permutation(g).found; })) return;
  }
}

/// An execution of the oracle's, with its threads renamed.
template <class Names>
std::string renamed(const std::string& execution, const Names& names) {
  const auto event = [&](std::string e) {
    if (e != "init") e[0] = static_cast<char>('0' + names[static_cast<unsigned>(e[0] - '0')]);
    return e;
  };
  std::istringstream words(execution);
  std::map<std::pair<char, int>, std::string> reads;
  std::string orders;
  for (std::string w; words >> w;) {
    const std::size_t from = w.find('<');
    if (from != std::string::npos) {
      const std::string read = event(w.substr(0, from));
      reads[{read[0], std::stoi(read.substr(2))}] = read + "<" + event(w.substr(from + 1)) + " ";
    } else {
      orders += w == "|" ? "| " : event(w) + " ";
    }
  }
  std::string text;
  for (const auto& [at, read] : reads) text += read;
  return text + orders;
}

/// What an execution and all of its orbit have in common.
std::string orbit_of(const std::string& execution, const groups& equal) {
  std::string least;
  for_each_naming(equal, [&](const auto& names) {
    const std::string other = renamed(execution, names);
    if (least.empty() || other < least) least = other;
  });
  return least;
}

/// Programs in which some threads are equal.
class author {
 public:
  explicit author(std::uint64_t s) : random_{s} {}

  struct text {
    straight_line program;
    groups equal;
  };

  text made() {
    for (;;) {
      text t = attempt();
      if (cost(t.program) <= most_candidates) return t;
    }
  }

 private:
  static constexpr double most_candidates = 30'000;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <std::size_t N>
  order one_of(const order (&orders)[N]) {
    return orders[below(N)];
  }

  text attempt() {
    relaxed_ = one_in(2);
    locations_ = 1 + below(3);
    // Which thread is of which kind; those of a kind are equal.
    static constexpr std::array<std::array<int, 4>, 8> shapes{{{0, 0, -1, -1},
                                                               {0, 0, 1, -1},
                                                               {1, 0, 0, -1},
                                                               {0, 1, 0, 2},
                                                               {0, 0, 0, -1},
                                                               {0, 0, 0, 1},
                                                               {0, 1, 1, 0},
                                                               {0, 1, 0, 0}}};
    const auto& shape = shapes[below(shapes.size())];
    std::array<std::vector<instruction>, 3> kinds;
    for (auto& k : kinds) {
      for (unsigned n = 1 + below(3); n != 0; --n) k.push_back(one_in(10) ? F(fence_order()) : access());
    }
    text t;
    t.equal.resize(kinds.size());
    for (unsigned i = 0; i != shape.size() && shape[i] >= 0; ++i) {
      const auto kind = static_cast<std::size_t>(shape[i]);
      t.program.push_back(kinds[kind]);
      t.equal[kind].push_back(i);
    }
    std::erase_if(t.equal, [](const auto& g) { return g.size() < 2; });
    return t;
  }

  order fence_order() { return one_of({order::acquire, order::release, order::acq_rel, order::seq_cst}); }

  instruction access() {
    using enum order;
    const unsigned at = below(locations_);
    const int value = static_cast<int>(below(2)) + 1;
    if (one_in(20)) return {one_in(2) ? verb::plain_read : verb::plain_write, first_plain, relaxed, relaxed, value};
    if (one_in(5)) return A(at, relaxed_ ? relaxed : one_of({relaxed, acquire, release, acq_rel, seq_cst}));
    if (one_in(5)) {
      return {one_in(3) ? verb::weak_compare_exchange : verb::compare_exchange,
              at,
              relaxed_ ? relaxed : one_of({relaxed, acquire, release, acq_rel, seq_cst}),
              relaxed_ ? relaxed : one_of({relaxed, acquire, seq_cst}),
              value,
              static_cast<int>(below(2))};
    }
    if (one_in(2)) return R(at, relaxed_ ? relaxed : one_of({relaxed, acquire, seq_cst}));
    return W(at, value, relaxed_ ? relaxed : one_of({relaxed, release, seq_cst}));
  }

  /// About how many candidates the oracle would have to try.
  static double cost(const straight_line& program) {
    std::array<double, most_locations> writes{};
    std::array<double, most_locations> reads{};
    double candidates = 1;
    for (const auto& thread : program) {
      for (const instruction& i : thread) {
        if (i.what == verb::fence) continue;
        if (i.what != verb::load && i.what != verb::plain_read) ++writes[i.at];
        if (i.what != verb::store && i.what != verb::plain_write) ++reads[i.at];
        if (i.what == verb::compare_exchange || i.what == verb::weak_compare_exchange) candidates *= 1.5;
      }
    }
    for (std::size_t l = 0; l != most_locations; ++l) {
      candidates *= std::pow(writes[l] + 1, reads[l]) * std::tgamma(writes[l] + 1);
    }
    return candidates;
  }

  std::mt19937_64 random_;
  bool relaxed_ = false;
  unsigned locations_ = 1;
};

struct tally {
  std::uint64_t visited = 0;
  std::uint64_t represented = 0;
  std::uint64_t racy = 0;
};

void compare(const straight_line& program, const groups& equal, tally& t) {
  checker::verdict v;
  const std::vector<std::string> found = explored(program, {.equal = equal}, &v);
  const answer expected = ask(program, sequences::cxx20);
  ASSERT_EQ(v.kind, expected.racy ? violation::race : violation::none) << text(program) << v.message;
  if (expected.racy) {
    ++t.racy;
    return;
  }
  std::map<std::string, unsigned> orbits;  // and how often they were visited
  for (const std::string& e : expected.executions) orbits[orbit_of(e, equal)] = 0;
  for (const std::string& e : found) {
    ASSERT_TRUE(expected.executions.contains(e)) << "inconsistent: " << e << " of\n" << text(program);
    ASSERT_EQ(++orbits[orbit_of(e, equal)], 1U) << "visited twice: " << e << " of\n" << text(program);
  }
  for (const auto& [orbit, visits] : orbits) ASSERT_EQ(visits, 1U) << "missing: " << orbit << " of\n" << text(program);
  EXPECT_EQ(v.executions, orbits.size());
  ASSERT_EQ(v.represented, expected.executions.size()) << text(program);
  t.visited += v.executions;
  t.represented += v.represented;
}

TEST(symmetry, random_programs_have_one_execution_of_each_orbit) {
  author a{seed};
  tally t;
  for (std::size_t i = 0; i != programs && !testing::Test::HasFailure(); ++i) {
    const auto [program, equal] = a.made();
    compare(program, equal, t);
  }
  std::printf("  %zu programs: %llu race, the others have %llu executions, of which %llu were visited\n", programs,
              static_cast<unsigned long long>(t.racy), static_cast<unsigned long long>(t.represented),
              static_cast<unsigned long long>(t.visited));
}

/// Shapes in which an order by what is read contradicts the order of causes: there a thread is out of turn.
TEST(symmetry, causes_come_before_their_effects) {
  const std::vector<std::pair<straight_line, groups>> shapes{
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {W(0, 2)}}, {{0, 1}}},
      {{{R(1), W(0, 1)}, {R(0), W(1, 1)}, {R(0), W(1, 1)}, {W(0, 2)}}, {{1, 2}}},
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}}, {{0, 1, 2}}},
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {R(1), W(0, 1)}}, {{0, 1}, {2, 3}}},
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {R(1), W(0, 1)}, {W(0, 2), W(1, 2)}}, {{0, 1}, {2, 3}}},
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {W(0, 2)}}, {{0, 1, 2}}},
      {{{R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {W(0, 2), W(0, 3)}}, {{0, 1, 2}}},
      {{{W(0, 2), W(1, 2)}, {R(1), W(0, 1)}, {R(0), W(1, 1)}, {R(1), W(0, 1)}, {R(0), W(1, 1)}}, {{1, 3}, {2, 4}}},
      {{{R(0), A(1)}, {R(0), A(1)}, {R(1), A(0)}, {R(1), A(0)}}, {{0, 1}, {2, 3}}},
      {{{A(0), W(0, 1)}, {A(0), W(0, 1)}, {A(0), W(0, 1)}}, {{0, 1, 2}}},
      {{{R(0), W(1, 1), R(2)}, {R(1), W(2, 1), W(0, 1)}, {R(0), W(1, 1), R(2)}, {R(1), W(2, 1), W(0, 1)}},
       {{0, 2}, {1, 3}}},
  };
  tally t;
  for (const auto& [program, equal] : shapes) compare(program, equal, t);
}

/// Of three equal thieves: in six orders.
template <class Client>
void expect_sixths(std::uint64_t all, std::uint64_t visited) {
  EXPECT_EQ(checker::run_program<Client>().executions, all);
  const checker::verdict v = checker::run_program<Client>({.equal = {{1, 2, 3}}});
  EXPECT_EQ(v.outcome, outcome::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ(v.represented, all);
  EXPECT_EQ(v.executions, visited);
  EXPECT_TRUE(v.symmetric);
  EXPECT_TRUE(v.exhaustive);
}

TEST(symmetry, thieves_of_a_deque) {
  expect_sixths<deque_line<"capacity=1: push pop | steal | steal | steal">>(471, 105);
  expect_sixths<deque_line<"capacity=2: push push pop | steal | steal | steal">>(3217, 573);
}

TEST(symmetry, processes_add_up) {
  using client = deque_line<"capacity=2: push push pop pop | steal | steal | steal">;
  const checker::explorer run = [](const checker::options& o) { return checker::run_program<client>(o); };
  const checker::verdict alone = checker::explore(run, {.options = {.equal = {{1, 2, 3}}}});
  const checker::verdict both = checker::explore(run, {.options = {.equal = {{1, 2, 3}}}, .jobs = 2});
  EXPECT_EQ(alone.executions, both.executions);
  EXPECT_EQ(alone.represented, both.represented);
  EXPECT_EQ(alone.represented, checker::run_program<client>().executions);
  EXPECT_EQ(alone.bound, "none, c++20, symmetric");
  EXPECT_EQ(both.bound, alone.bound);
  std::uint64_t represented = 0;
  for (unsigned i = 0; i != 3; ++i) {
    represented +=
        checker::explore(run, {.options = {.equal = {{1, 2, 3}}}, .share = {.index = i, .count = 3}}).represented;
  }
  EXPECT_EQ(represented, alone.represented);
}

TEST(symmetry, without_equal_threads_each_execution_stands_for_itself) {
  using client = deque_line<"capacity=1: push pop | steal | steal">;
  const checker::verdict v = checker::run_program<client>();
  EXPECT_EQ(v.represented, v.executions);
  EXPECT_FALSE(v.symmetric);
  EXPECT_FALSE(checker::run_program<client>({.equal = {{1}}}).symmetric);
  const checker::verdict stopped = checker::run_program<client>({.leaks = false, .stalled = {1, 2}, .equal = {{1, 2}}});
  EXPECT_EQ(stopped.executions, checker::run_program<client>({.leaks = false, .stalled = {1, 2}}).executions);
  checker::left_out without;
  without.calls.push_back({1, 0});
  EXPECT_FALSE(checker::run_program<client>({.equal = {{1, 2}}, .without = without}).symmetric);
}

TEST(symmetry, an_estimate_is_of_what_is_visited) {
  using client = deque_line<"capacity=2: push push pop | steal | steal | steal">;
  const auto e = checker::run_program<client>({.equal = {{1, 2, 3}}, .how = checker::mode::estimate}).size;
  EXPECT_LT(e.least, 573);
  EXPECT_GT(e.most, 573);
  EXPECT_LT(e.most, 3217);
}

/// Three threads add to a counter, and one of them must not be the last.
struct counting {
  static constexpr unsigned threads = 3;
  checker::model::atomic<int> n;
  void thread(unsigned) { checker::model::check(n.fetch_add(1) != 2, "the third"); }
  void finish() {}
};

TEST(symmetry, a_violation_is_an_execution_of_the_program) {
  const checker::verdict v = checker::run_program<counting>({.equal = {{0, 1, 2}}});
  EXPECT_EQ(v.kind, violation::assertion);
  EXPECT_EQ(v.message, "the third");
  EXPECT_EQ(checker::replay<counting>(v.steps, v.options).message, "the third");
}

TEST(symmetry, such_threads_there_must_be) {
  using client = deque_line<"capacity=1: push pop | steal | steal">;
  EXPECT_THROW(checker::run_program<client>({.equal = {{1, 3}}}), std::invalid_argument);
  EXPECT_THROW(checker::run_program<client>({.equal = {{1, 2}, {2, 0}}}), std::invalid_argument);
  EXPECT_THROW(checker::run_program<client>({.equal = {{1, 1}}}), std::invalid_argument);
  EXPECT_THROW(checker::run_program<client>({.equal = {{1, 70'000}}}), std::invalid_argument);
}

/// Each stores its number, or reads once more than the threads before it.
template <bool Numbers>
struct unlike {
  static constexpr unsigned threads = 2;
  checker::model::atomic<int> x;
  void thread(unsigned i) {
    if (Numbers) x.store(static_cast<int>(i));
    for (unsigned n = 0; n != i; ++n) (void)x.load();
  }
  void finish() {}
};

/// Each has a cell of its own.
struct apart {
  static constexpr unsigned threads = 2;
  std::array<checker::model::atomic<int>, 2> x;
  void thread(unsigned i) { (void)x[i].load(); }
  void finish() {}
};

TEST(symmetry, threads_that_are_not_equal_are_found_out) {
  EXPECT_EQ(checker::run_program<unlike<true>>({.equal = {{0, 1}}}).kind, violation::unsupported);
  EXPECT_EQ(checker::run_program<unlike<false>>({.equal = {{0, 1}}}).kind, violation::unsupported);
  EXPECT_EQ(checker::run_program<apart>({.equal = {{0, 1}}}).kind, violation::unsupported);
}

/// Two equal readers, and edges from outside: what one of them does is no cause of what the other does.
struct edges {
  static constexpr unsigned threads = 3;
  static inline bool possible = false;
  checker::model::atomic<int> x;
  void thread(unsigned i) {
    if (i == 0) x.store(1, order::relaxed);
    if (i != 0) (void)x.load(order::relaxed);
  }
  void finish() { possible = possible || checker::could_happen_before({2, 1}, {1, 0}); }
};

TEST(symmetry, an_edge_from_outside_may_go_against_it) {
  EXPECT_EQ(checker::run_program<edges>({.equal = {{1, 2}}}).outcome, outcome::ok);
  EXPECT_TRUE(edges::possible);
}

}  // namespace
}  // namespace licit::checker_test
