/// Every client program of a task's state, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>
#include <cstdio>
#include <string>

#include <licit/audit/audit.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/task_state/mutants.hpp"
#include "programs/task_state/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<task_state_orders>;

using task_state_programs = with_orders<task_state_orders>;

/// The audit of the table by the programs.
template <template <class> class... Programs>
audit::report audited(models::program_list<Programs...> /*all*/) {
  return audit::audit(audit::subject_of<task_state_orders, Programs...>());
}

TEST_F(task_state_programs, are_right_in_every_execution) {
  expect_right_by_both_rules<models::task_state_free_programs>();
  expect_right_by_both_rules<models::task_state_large_programs>();
}

// A futex may return for no reason. A thread that then looks, sees nothing new and sleeps again is where it was: the
// execution in which it does so for ever is counted as blocked, and the others are all of the same without that round.
TEST_F(task_state_programs, are_right_in_every_execution_also_where_a_thread_waits) {
  models::task_state_waiting_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.end, checker::ending::ok) << name << ": " << v.message << "\n" << v.trace;
      EXPECT_EQ(v.deadlocked, 0U);
      std::printf("  %-28s %8llu executions, %llu blocked\n", name.c_str(),
                  static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked));
    }
  });
}

TEST_F(task_state_programs, need_every_order_of_the_table) {
  const audit::report r = audited(models::task_state_programs{});
  EXPECT_EQ(r.sufficient.found, audit::finding::passed);
  for (const audit::audited_row& row : r.rows) {
    const bool ordered = row.entry.success != order::relaxed || row.entry.failure != order::relaxed;
    EXPECT_EQ(row.verdict, ordered ? audit::need::needed : audit::need::relaxed) << row.entry.site;
  }
}

TEST_F(task_state_programs, have_a_mutant_for_every_row_that_is_not_relaxed) {
  for (const row& r : task_state_orders.rows) {
    const auto mutants = std::ranges::count_if(models::task_state_mutants, [&](const models::mutant& m) {
      return m.what.site == r.site && m.what.how == models::change::weaken;
    });
    const int weaker = r.success == order::relaxed ? 0 : r.success == order::acq_rel ? 3 : 1;
    EXPECT_EQ(mutants, weaker) << r.site;
  }
}

TEST_F(task_state_programs, catch_every_mutant) {
  for (const models::mutant& m : models::task_state_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      std::string by;
      models::task_state_programs::each([&]<template <class> class Program>() {
        if (checker::run<Program>({.sequences = rule}).end == checker::ending::violation) {
          by += " " + std::string(Program<checker::model>::about.name);
        }
      });
      EXPECT_FALSE(by.empty()) << m.name;
      std::printf("  %-28s%s\n", std::string(m.name).c_str(), by.c_str());
    }
  }
}

TEST_F(task_state_programs, catch_every_broken_algorithm) {
  models::task_state_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.end, checker::ending::violation) << name;
      std::printf("  %-24s %s: %s\n", name.c_str(), std::string(checker::name(v.kind)).c_str(), v.message.c_str());
    }
  });
}

/// Every thread is stopped for good at every step that it comes to. What it holds is lost then.
template <template <class> class Program>
std::uint64_t run_stalled() {
  std::uint64_t executions = 0;
  for (unsigned t = 0; t != Program<checker::model>::about.threads; ++t) {
    unsigned after = 0;
    for (bool came_to_it = true; came_to_it; ++after) {
      const checker::verdict v = checker::run<Program>({.leaks = false, .stalled = {.thread = t, .after = after}});
      EXPECT_EQ(v.end, checker::ending::ok)
          << Program<checker::model>::about.name << ", thread " << t << " after " << after << ": " << v.message << "\n"
          << v.trace;
      if (v.end != checker::ending::ok) return executions;
      EXPECT_EQ(v.blocked, 0U);
      executions += v.executions;
      came_to_it = v.stalled;
    }
    EXPECT_GT(after, 2U) << "a thread that was to be stopped takes no steps";
  }
  return executions;
}

TEST_F(task_state_programs, do_without_a_thread_that_stops_anywhere) {
  std::uint64_t executions = 0;
  models::task_state_free_programs::each(
      [&]<template <class> class Program>() { executions += run_stalled<Program>(); });
  std::printf("  %llu executions\n", static_cast<unsigned long long>(executions));
}

}  // namespace
}  // namespace licit::checker_test
