/// Every client program of the trace ring, and every must-fail mutant, under the exhaustive checker.
#include <cstdint>
#include <string>

#include <licit/audit/audit.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/trace_ring/mutants.hpp"
#include "programs/trace_ring/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<trace_ring_orders>;

template <template <class> class... Programs>
audit::report audited(models::program_list<Programs...> /*all*/) {
  return audit::audit(audit::subject_of<trace_ring_orders, Programs...>());
}

using trace_ring_programs = with_orders<trace_ring_orders>;

TEST_F(trace_ring_programs, are_right_in_every_execution) { expect_right_by_both_rules<models::trace_ring_programs>(); }

/// By how many of the programs.
unsigned caught(release_sequences rule) {
  unsigned by = 0;
  models::trace_ring_programs::each([&]<template <class> class Program>() {
    by += checker::run<Program>({.sequences = rule}).end == checker::ending::violation ? 1U : 0U;
  });
  return by;
}

TEST_F(trace_ring_programs, catch_every_mutant) {
  for (const models::mutant& m : models::trace_ring_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      EXPECT_NE(caught(rule), 0U) << m.name;
    }
  }
}

TEST_F(trace_ring_programs, that_are_broken_are_caught) {
  models::trace_ring_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      EXPECT_EQ(v.end, checker::ending::violation) << Program<checker::model>::about.name;
    }
  });
}

/// Each thread stopped for good before each of its steps: the others finish, and a reader sees no torn event.
TEST_F(trace_ring_programs, do_without_any_thread_at_any_step) {
  models::trace_ring_programs::each([]<template <class> class Program>() {
    constexpr auto about = Program<checker::model>::about;
    for (unsigned t = 0; t != about.threads; ++t) {
      unsigned after = 0;
      for (bool came_to_it = true; came_to_it; ++after) {
        const checker::verdict v = checker::run<Program>({.stalled = {.thread = t, .after = after}});
        ASSERT_EQ(v.end, checker::ending::ok)
            << about.name << ", thread " << t << " after " << after << ": " << v.message;
        EXPECT_EQ(v.blocked, 0U);
        came_to_it = v.stalled;
      }
      EXPECT_GT(after, 3U) << "a thread that was to be stopped takes no steps";
    }
  });
}

// No row is stronger than it need be.
TEST_F(trace_ring_programs, need_every_row) {
  const audit::report r = audited(models::trace_ring_programs{});
  EXPECT_EQ(r.sufficient.found, audit::finding::passed);
  for (const audit::audited_row& row : r.rows) {
    const bool ordered = row.entry.success != order::relaxed;
    EXPECT_EQ(row.verdict, ordered ? audit::need::needed : audit::need::relaxed) << row.entry.site;
  }
}

/// The audit can say no: in a ring whose slots are used once, the words need no order.
TEST_F(trace_ring_programs, need_a_ring_that_comes_round_for_that) {
  const audit::report r = audited(models::program_list<models::on_trace_ring::read_again>{});
  for (const audit::audited_row& row : r.rows) {
    const bool word = row.entry.site == "record.time" || row.entry.site == "read.what";
    if (word) {
      EXPECT_EQ(row.verdict, audit::need::not_needed) << row.entry.site;
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
