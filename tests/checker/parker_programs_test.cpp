/// Every client program of the parker, and every must-fail mutant, under the exhaustive checker.
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/parker/mutants.hpp"
#include "programs/parker/programs.hpp"

namespace licit::checker_test {
namespace {

using parker_programs = with_orders<parker_orders>;

// Whose thread is left has woken up for no reason, or compared an old value, and would look again.
TEST_F(parker_programs, are_right_in_every_execution) {
  models::parker_programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) expect_right_going_round<Program>("park.", {.sequences = rule});
  });
}

TEST_F(parker_programs, catch_every_mutant) {
  expect_mutants_caught<parker_orders, models::parker_programs>(models::parker_mutants);
}

TEST_F(parker_programs, catch_every_broken_algorithm) { expect_broken_caught<models::parker_broken_programs>(); }

TEST_F(parker_programs, need_every_order) { expect_minimal<parker_orders, models::parker_programs>(); }

// Only who parks waits.
TEST_F(parker_programs, do_without_the_thread_that_parks) {
  expect_right_going_round_without<models::on_parker::token>(0, "park.");
  expect_right_going_round_without<models::on_parker::two_unparkers>(0, "park.");
}

/// Two unparks, then two parks: the second has no token.
template <class Model>
struct parked_twice : models::on_parker::client<Model, 1, 1> {
  static constexpr unsigned threads = 1;
  parked_twice() {
    this->unpark(0);
    this->unpark(0);
  }
  void thread(unsigned /*i*/) {
    this->park(0);
    this->park(0);
  }
  void finish() {}
};

TEST_F(parker_programs, two_unparks_leave_one_token) {
  const checker::verdict v = checker::run<parked_twice>({.deadlocks = false});
  EXPECT_EQ(v.end, checker::ending::ok) << v.message;
  EXPECT_EQ(v.executions, 0U);
  EXPECT_NE(v.deadlocked, 0U);
}

}  // namespace
}  // namespace licit::checker_test
