/// Every client program of a task's state, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>
#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/task_state/mutants.hpp"
#include "programs/task_state/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using task_state_programs = with_orders<task_state_orders>;

TEST_F(task_state_programs, are_right_in_every_execution) {
  expect_right_by_both_rules<models::task_state_free_programs>();
  expect_right_by_both_rules<models::task_state_large_programs>();
}

// A futex may return for no reason. A thread that then looks, sees nothing new and sleeps again is where it was: the
// execution in which it does so for ever is counted as blocked, and the others are all of the same without that round.
TEST_F(task_state_programs, are_right_in_every_execution_also_where_a_thread_waits) {
  models::task_state_waiting_programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) {
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
  expect_minimal<task_state_orders, models::task_state_programs>();
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
  expect_mutants_caught<task_state_orders, models::task_state_programs>(models::task_state_mutants);
}

TEST_F(task_state_programs, catch_every_broken_algorithm) {
  expect_broken_caught<models::task_state_broken_programs>();
}

// What it holds is lost then.
TEST_F(task_state_programs, do_without_a_thread_that_stops_anywhere) {
  expect_right_without_any<models::task_state_free_programs>(2, {.leaks = false});
}

}  // namespace
}  // namespace licit::checker_test
