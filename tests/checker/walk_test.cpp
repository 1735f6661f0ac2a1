/// Walks: what they come to is what the search explores; what they find can be replayed; samples are what their seed
/// makes them.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "checker/run.hpp"
#include "deque_client.hpp"
#include "explored.hpp"
#include "programs/mutants.hpp"
#include "programs/programs.hpp"

namespace licit::checker_test {
namespace {

using checker::ending;
using checker::mode;
using checker::model;
using checker::options;
using checker::verdict;
using checker::violation;
using namespace shorthand;
using enum order;

options sample(mode how, std::uint64_t executions, std::uint64_t seed = 1, unsigned depth = 3) {
  return {.how = how, .sample = {.executions = executions, .seed = seed, .depth = depth}};
}

std::set<std::string> set_of(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

/// The random walk visits what the search finds: all of it, and nothing else.
void expect_the_same(const straight_line& program, std::uint64_t executions) {
  for (const auto rule : {checker::release_sequences::cxx20, checker::release_sequences::cxx11}) {
    options o = sample(mode::random, executions);
    o.sequences = rule;
    EXPECT_EQ(set_of(explored(program, o)), set_of(explored(program, {.sequences = rule}))) << text(program);
  }
}

TEST(random_walks, visit_what_the_search_explores) {
  expect_the_same({{W(0, 1), R(1)}, {W(1, 1), R(0)}}, 300);                                      // SB
  expect_the_same({{W(0, 1), F(), R(1)}, {W(1, 1), F(), R(0)}}, 300);                            // SB, fenced
  expect_the_same({{W(0, 1, seq_cst), R(1, seq_cst)}, {W(1, 1, seq_cst), R(0, seq_cst)}}, 300);  // SB, seq_cst
  expect_the_same({{W(0, 1), light(), R(1)}, {W(1, 1), heavy(), R(0)}}, 300);                    // and asymmetric
  expect_the_same({{W(0, 1), W(1, 1, release)}, {R(1, acquire), R(0)}}, 300);                    // MP
  expect_the_same({{W(0, 1), W(1, 2)}, {W(1, 1), W(0, 2)}}, 300);                                // 2+2W
  expect_the_same({{W(0, 1)}, {W(0, 2)}, {R(0), R(0)}, {R(0), R(0)}}, 10'000);                   // CoRR, twice
  expect_the_same({{W(0, 1)}, {W(1, 1)}, {R(0, acquire), R(1)}, {R(1, acquire), R(0)}}, 3000);   // IRIW
  expect_the_same({{A(0), A(0)}, {A(0), W(0, 5)}, {R(0), C(0, 2, 7)}}, 30'000);                  // updates
  expect_the_same({{{verb::weak_compare_exchange, 0, relaxed, relaxed, 1, 0}}, {A(0), R(0)}}, 300);
}

/// By threads, or by what they read: a walk that leaves one of the two out visits less, and this test would see it.
TEST(random_walks, need_both_threads_and_reads_chosen) {
  const straight_line store_buffering{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  EXPECT_EQ(set_of(explored(store_buffering)).size(), 4U);
  // PCT without a change point takes what is newest, but once.
  EXPECT_LT(set_of(explored(store_buffering, sample(mode::pct, 1))).size(), 4U);
  EXPECT_EQ(set_of(explored(store_buffering, sample(mode::pct, 1000))).size(), 4U);
}

TEST(random_walks, are_what_their_seed_makes_them) {
  const straight_line program{{W(0, 1), R(1), A(0)}, {W(1, 1), R(0), A(1)}};
  for (const mode how : {mode::random, mode::pct}) {
    EXPECT_EQ(explored(program, sample(how, 50, 7)), explored(program, sample(how, 50, 7)));
    EXPECT_NE(explored(program, sample(how, 50, 7)), explored(program, sample(how, 50, 8)));
  }
}

TEST(random_walks, say_that_they_are_samples) {
  const straight_line program{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  verdict v;
  explored(program, sample(mode::random, 123), &v);
  EXPECT_TRUE(v.sampled);
  EXPECT_EQ(v.end, ending::ok);
  EXPECT_EQ(v.executions, 123U);
  explored(program, {}, &v);
  EXPECT_FALSE(v.sampled);
}

TEST(random_walks, end_at_a_limit_that_is_not_ok) {
  const straight_line program{{W(0, 1), R(1)}, {W(1, 1), R(0)}};
  verdict v;
  options o = sample(mode::random, 123);
  o.max_executions = 100;
  explored(program, o, &v);
  EXPECT_EQ(v.end, ending::limit);
  EXPECT_EQ(v.executions, 100U);
  o = sample(mode::random, 1'000'000'000);
  o.max_seconds = 0.05;
  explored(program, o, &v);
  EXPECT_EQ(v.end, ending::limit);
}

TEST(samples, out_of_range_are_refused) {
  const straight_line program{{W(0, 1)}};
  EXPECT_THROW(run(program, sample(mode::random, 0)), std::invalid_argument);
  EXPECT_THROW(run(program, sample(mode::pct, 1, 1, 0)), std::invalid_argument);
  EXPECT_THROW(run(program, {.how = mode::replay}), std::invalid_argument);
}

class deque : public testing::Test {
 protected:
  void SetUp() override { orders::reset(); }
  void TearDown() override { orders::reset(); }
  using orders = models::live_orders<chase_lev_orders>;
};

using two_steals = scripted<2, "PPpp", "ss">;

std::vector<std::string> executions_of_two_steals(options o) {
  std::vector<std::string> found;
  o.observe = [&](const checker::graph& g) { found.push_back(canonical(g)); };
  const verdict v = checker::run_program<two_steals>(o);
  EXPECT_EQ(v.end, ending::ok) << v.message << v.trace;
  return found;
}

TEST_F(deque, is_walked_through_as_it_is_searched) {
  const auto all = set_of(executions_of_two_steals({}));
  EXPECT_EQ(all.size(), 65U);
  for (const std::uint64_t n : {60'000, 300'000, 1'000'000}) {
    const auto found = set_of(executions_of_two_steals(sample(mode::random, n)));
    std::printf("%llu: %zu\n", static_cast<unsigned long long>(n), found.size());
  for (const std::string& e : all) { if (!found.contains(e)) std::printf("%s\n", e.c_str()); }
  }
}

/// What the search finds wrong is found wrong again, in the same way, when its record is replayed.
TEST_F(deque, violations_of_every_mutant_are_replayed) {
  for (const models::mutant& m : models::deque_mutants) {
    orders::reset();
    orders::apply(m.what);
    unsigned caught = 0;
    models::deque_programs::each([&]<template <class> class Program>() {
      const verdict v = checker::run<Program>();
      if (v.end != ending::violation) return;
      ++caught;
      const verdict again = checker::replay<Program<model>>(v.steps);
      EXPECT_EQ(again.kind, v.kind) << m.name << ": " << Program<model>::about.name << "\n" << v.trace << again.message;
      EXPECT_EQ(again.message, v.message) << m.name << ": " << Program<model>::about.name;
    });
    EXPECT_NE(caught, 0U) << m.name;
  }
}

}  // namespace
}  // namespace licit::checker_test
