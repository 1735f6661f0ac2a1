/// How large a search will be, by probes of its tree.
#include <limits>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

using checker::model;
using checker::outcome;
using checker::run_program;
using enum order;

/// Each order of the updates is an execution.
template <unsigned Threads, unsigned Updates>
struct updates {
  static constexpr unsigned threads = Threads;
  model::atomic<unsigned> x;
  void thread(unsigned /*i*/) {
    for (unsigned n = 0; n != Updates; ++n) x.fetch_add(1, relaxed);
  }
  void finish() {}
};

/// A reader waits for the last of the others: most of the tree is where it does not.
struct skewed {
  static constexpr unsigned threads = 3;
  model::atomic<unsigned> x, y;
  void thread(unsigned i) {
    if (i == 0) {
      for (unsigned n = 1; n != 5; ++n) x.store(n, relaxed);
    } else if (i == 1) {
      if (x.load(relaxed) != 4) return;
      for (unsigned n = 1; n != 5; ++n) y.store(n, relaxed);
    } else {
      for (unsigned n = 1; n != 5; ++n) y.load(relaxed);
    }
  }
  void finish() {}
};

/// Executions in which a thread waits do not count.
struct waiting {
  static constexpr unsigned threads = 2;
  model::atomic<unsigned> x;
  void thread(unsigned i) {
    if (i == 1) {
      for (unsigned n = 1; n != 4; ++n) x.store(n, relaxed);
    } else {
      x.await_value(3, relaxed);
    }
  }
  void finish() {}
};

struct wrong {
  static constexpr unsigned threads = 2;
  model::atomic<unsigned> x;
  model::plain<int> cell;
  void thread(unsigned i) {
    if (i == 1) x.store(1, relaxed);
    if (i == 1 || x.load(relaxed) == 1) cell.write(1);
  }
  void finish() {}
};

/// As many probes as are asked for, however long they take: the same on every machine.
checker::options probes(std::uint64_t n, std::uint64_t seed = 1) {
  return {.how = checker::mode::estimate,
          .sample = {.executions = n, .seconds = std::numeric_limits<double>::infinity(), .seed = seed}};
}

template <class Program>
void expect_estimated() {
  const auto executions = static_cast<double>(run_program<Program>().executions);
  const checker::verdict v = run_program<Program>(probes(4000));
  EXPECT_EQ(v.outcome, outcome::ok);
  EXPECT_TRUE(v.sampled);
  EXPECT_FALSE(v.exhaustive);
  EXPECT_EQ(v.size.probes, 4000U);
  EXPECT_NEAR(v.size.executions, executions, 0.25 * executions);
  EXPECT_LE(v.size.least, v.size.executions);
  EXPECT_GE(v.size.most, v.size.executions);
  EXPECT_GT(v.size.seconds, 0);
}

TEST(estimates, are_near_the_number_of_executions) {
  EXPECT_EQ((run_program<updates<3, 2>>().executions), 90U);
  expect_estimated<updates<3, 2>>();
  expect_estimated<updates<4, 2>>();
  expect_estimated<skewed>();
}

TEST(estimates, are_exact_where_every_alternative_is_explored) {
  const checker::verdict v = run_program<updates<2, 1>>(probes(10));
  EXPECT_EQ(v.size.executions, 2);
  EXPECT_EQ(run_program<waiting>(probes(10)).size.executions, 1);
  EXPECT_EQ(v.size.least, 2);
  EXPECT_EQ(v.size.most, 2);
}

TEST(estimates, are_the_same_for_the_same_seed) {
  const auto first = run_program<updates<4, 2>>(probes(5, 7)).size.executions;
  EXPECT_EQ((run_program<updates<4, 2>>(probes(5, 7)).size.executions), first);
  EXPECT_NE((run_program<updates<4, 2>>(probes(5, 8)).size.executions), first);
}

TEST(estimates, end_in_time) {
  checker::options soon = probes(~std::uint64_t{0});
  soon.sample.seconds = 0;
  EXPECT_EQ((run_program<updates<4, 2>>(soon).size.probes), 1U);
}

TEST(estimates, report_what_is_wrong) {
  const checker::verdict v = run_program<wrong>(probes(100));
  EXPECT_EQ(v.outcome, outcome::violation);
  EXPECT_EQ(name(v.kind), name(checker::violation::race));
}

TEST(searches, have_no_estimate) { EXPECT_EQ((run_program<updates<3, 2>>().size.probes), 0U); }

}  // namespace
}  // namespace licit::checker_test
