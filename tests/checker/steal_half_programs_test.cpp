/// Steal-half's client programs and must-fail mutants under the exhaustive checker, and the table that it shares with
/// the deque: minimal for the programs of both.
#include <cstdio>
#include <string>
#include <string_view>

#include <licit/audit/audit.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/chase_lev/programs.hpp"
#include "programs/steal_half/mutants.hpp"
#include "programs/steal_half/programs.hpp"
#include "programs/steal_half/singly.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<chase_lev_orders>;

using steal_half_programs = with_orders<chase_lev_orders>;

TEST_F(steal_half_programs, are_right_in_every_execution) { expect_right_by_both_rules<models::steal_half_programs>(); }

/// The form that asymmetric fences leave: single steals.
TEST_F(steal_half_programs, are_right_with_single_steals) {
  models::steal_half_singly_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      EXPECT_EQ(v.end, checker::ending::ok) << Program<checker::model>::about.name << ": " << v.message << "\n"
                                            << v.trace;
      EXPECT_EQ(v.blocked, 0U);
      EXPECT_GT(v.executions, 1U);
    }
  });
}

/// The name of a program that finds it, or nothing.
template <class Programs>
std::string caught(release_sequences rule) {
  std::string by;
  Programs::each([&]<template <class> class Program>() {
    if (by.empty() && checker::run<Program>({.sequences = rule}).end == checker::ending::violation) {
      by = Program<checker::model>::about.name;
    }
  });
  return by;
}

TEST_F(steal_half_programs, catch_every_mutant) {
  for (const models::mutant& m : models::steal_half_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      EXPECT_NE(caught<models::steal_half_programs>(rule), "") << m.name;
    }
  }
}

TEST_F(steal_half_programs, catch_a_step_left_out) {
  models::steal_half_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      EXPECT_EQ(checker::run<Program>({.sequences = rule}).end, checker::ending::violation)
          << Program<checker::model>::about.name;
    }
  });
}

/// Every thread stopped for good before each of its steps: the others end, and lose nothing but what it has in hand.
TEST_F(steal_half_programs, do_without_a_thread_that_is_stopped) {
  models::steal_half_programs::each([]<template <class> class Program>() {
    for (unsigned thread = 0; thread != Program<checker::model>::about.threads; ++thread) {
      for (unsigned after = 0;; ++after) {
        const checker::verdict v = checker::run<Program>({.stalled = {.thread = thread, .after = after}});
        ASSERT_EQ(v.end, checker::ending::ok)
            << Program<checker::model>::about.name << ", thread " << thread << " after " << after << ": " << v.message;
        if (!v.stalled) break;  // it has fewer steps
      }
    }
  });
}

template <template <class> class... Deque, template <class> class... Half>
audit::subject together(models::program_list<Deque...> /*deque*/, models::program_list<Half...> /*half*/) {
  return audit::subject_of<chase_lev_orders, Deque..., Half...>();
}

TEST_F(steal_half_programs, and_the_deques_need_every_row) {
  const audit::subject s = together(models::chase_lev_programs{}, models::steal_half_programs{});
  const audit::report r = audit::audit(s);
  EXPECT_EQ(r.sufficient.found, audit::finding::passed) << r.sufficient.message;
  for (const audit::audited_row& row : r.rows) {
    const bool ordered = row.entry.success != order::relaxed || row.entry.failure != order::relaxed;
    EXPECT_EQ(row.verdict, ordered ? audit::need::needed : audit::need::relaxed) << row.entry.site;
    for (const audit::weakening& w : row.weaker) {
      const std::string site(row.entry.site);
      const std::string to(name(w.to.success));
      std::printf("  %-14s %-8s %s in %s%s\n", site.c_str(), to.c_str(), w.result.kind.c_str(),
                  w.result.program.c_str(), w.ghost_only ? " (a ghost's)" : "");
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
