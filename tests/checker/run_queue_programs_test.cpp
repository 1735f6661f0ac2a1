/// Every client program of the run queue, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>
#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/run_queue/mutants.hpp"
#include "programs/run_queue/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<run_queue_orders>;

using run_queue_programs = with_orders<run_queue_orders>;

TEST_F(run_queue_programs, are_right_in_every_execution) { expect_right_by_both_rules<models::run_queue_programs>(); }

// Below acquire or release there is relaxed only: with `catch_every_mutant`, no row is stronger than it need be.
TEST_F(run_queue_programs, have_a_mutant_for_every_row_that_is_not_relaxed) {
  for (const row& r : run_queue_orders.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    const bool weakened = std::ranges::any_of(models::run_queue_mutants, [&](const models::mutant& m) {
      return m.what.site == r.site && m.what.how == models::change::weaken && m.what.success == order::relaxed;
    });
    EXPECT_EQ(ordered, weakened) << r.site;
    EXPECT_TRUE(r.success != order::acq_rel && r.success != order::seq_cst) << r.site;
  }
}

/// By how many of the programs.
unsigned caught(release_sequences rule) {
  unsigned by = 0;
  models::run_queue_programs::each([&]<template <class> class Program>() {
    if (checker::run<Program>({.sequences = rule}).end == checker::ending::violation) ++by;
  });
  return by;
}

// And not by the ghosts alone, which stand for what the model does not show.
TEST_F(run_queue_programs, catch_every_broken_algorithm) {
  models::run_queue_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      for (const bool ghosts : {true, false}) {
        const checker::verdict v = checker::run<Program>({.sequences = rule, .ghosts = ghosts});
        const std::string name(Program<checker::model>::about.name);
        EXPECT_EQ(v.end, checker::ending::violation) << name;
        std::printf("  %-24s %s\n", name.c_str(), v.message.c_str());
      }
    }
  });
}

// What is wrong with the narrow index is its width alone.
TEST_F(run_queue_programs, a_bit_more_and_eight_items_do_not_come_round) {
  const checker::verdict v = checker::run<models::on_run_queue::index_is_wide_enough>();
  EXPECT_EQ(v.end, checker::ending::ok) << v.message << "\n" << v.trace;
  EXPECT_EQ(v.blocked, 0U);
}

/// Every thread is stopped for good at every step that it comes to.
template <template <class> class Program>
std::uint64_t run_stalled() {
  std::uint64_t executions = 0;
  for (unsigned t = 0; t != Program<checker::model>::about.threads; ++t) {
    unsigned after = 0;
    for (bool came_to_it = true; came_to_it; ++after) {
      const checker::verdict v = checker::run<Program>({.stalled = {.thread = t, .after = after}});
      EXPECT_EQ(v.end, checker::ending::ok)
          << Program<checker::model>::about.name << ", thread " << t << " after " << after << ": " << v.message << "\n"
          << v.trace;
      if (v.end != checker::ending::ok) return executions;
      EXPECT_EQ(v.blocked, 0U);
      executions += v.executions;
      came_to_it = v.stalled;
    }
    EXPECT_GT(after, 3U) << "a thread that was to be stopped takes no steps";
  }
  return executions;
}

TEST_F(run_queue_programs, do_without_a_thread_that_stops_anywhere) {
  std::uint64_t executions = 0;
  models::run_queue_programs::each([&]<template <class> class Program>() { executions += run_stalled<Program>(); });
  std::printf("  %llu executions\n", static_cast<unsigned long long>(executions));
}

TEST_F(run_queue_programs, catch_every_mutant) {
  for (const models::mutant& m : models::run_queue_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      EXPECT_NE(caught(rule), 0U) << m.name;
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
