/// Every client program of the split deque, and every must-fail mutant, under the exhaustive checker.
#include <cstdio>
#include <string>

#include <licit/audit/audit.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/split/mutants.hpp"
#include "programs/split/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<split_orders>;

template <template <class> class... Programs>
audit::report audited(models::program_list<Programs...> /*all*/) {
  return audit::audit(audit::subject_of<split_orders, Programs...>());
}

using split_programs = with_orders<split_orders>;

TEST_F(split_programs, are_right_in_every_execution) { expect_right_by_both_rules<models::split_programs>(); }

/// By how many of the programs.
unsigned caught(release_sequences rule) {
  unsigned by = 0;
  models::split_programs::each([&]<template <class> class Program>() {
    by += checker::run<Program>({.sequences = rule}).end == checker::ending::violation ? 1U : 0U;
  });
  return by;
}

TEST_F(split_programs, catch_every_mutant) {
  for (const models::mutant& m : models::split_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      EXPECT_NE(caught(rule), 0U) << m.name;
    }
  }
}

TEST_F(split_programs, that_are_broken_are_caught) {
  models::split_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      EXPECT_EQ(v.end, checker::ending::violation) << Program<checker::model>::about.name;
    }
  });
}

/// Each thread stopped for good before each of its steps: the others finish, and nothing else is lost.
TEST_F(split_programs, do_without_any_thread_at_any_step) {
  models::split_programs::each([]<template <class> class Program>() {
    constexpr auto about = Program<checker::model>::about;
    for (unsigned thread = 0; thread != about.threads; ++thread) {
      bool stopped = true;
      for (unsigned step = 0; stopped; ++step) {
        const checker::verdict v = checker::run<Program>({.stalled = {.thread = thread, .after = step}});
        ASSERT_EQ(v.end, checker::ending::ok)
            << about.name << ", thread " << thread << " stopped after " << step << " steps: " << v.message << "\n"
            << v.trace;
        EXPECT_EQ(v.blocked, 0U) << about.name;
        stopped = v.stalled;
      }
    }
  });
}

TEST_F(split_programs, show_that_each_order_is_needed) {
  const audit::report r = audited(models::split_programs{});
  EXPECT_EQ(r.sufficient.found, audit::finding::passed);
  for (const audit::audited_row& row : r.rows) {
    const bool ordered = row.entry.success != order::relaxed || row.entry.failure != order::relaxed;
    EXPECT_EQ(row.verdict, ordered ? audit::need::needed : audit::need::relaxed) << row.entry.site;
    for (const audit::weakening& w : row.weaker) {
      std::printf("  %-16s weaker: %s in %s%s\n", std::string(row.entry.site).c_str(), w.result.kind.c_str(),
                  w.result.program.c_str(), w.ghost_only ? " (a ghost's)" : "");
    }
  }
}

/// The audit can say no: without the programs that renumber, two of the rows are spare.
TEST_F(split_programs, that_do_too_little_leave_an_order_unneeded) {
  const audit::report r = audited(models::program_list<models::on_split::overwrite>{});
  for (const audit::audited_row& row : r.rows) {
    if (row.entry.site == "renumber.word" || row.entry.site == "size.word") {
      EXPECT_EQ(row.verdict, audit::need::not_needed) << row.entry.site;
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
