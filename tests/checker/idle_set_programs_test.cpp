/// Every client program of the idle set, and every must-fail mutant, under the exhaustive checker.
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/idle_set/mutants.hpp"
#include "programs/idle_set/programs.hpp"

namespace licit::checker_test {
namespace {

using idle_set_programs = with_orders<idle_set_orders>;

// Who is left would go round once more in a claim: it was overtaken twice, by changes that cancel each other; or, of
// many workers, has passed a bit's word before the bit came, and the bit that it was to have was retracted.
TEST_F(idle_set_programs, are_right_in_every_execution) {
  models::idle_set_alone::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) {
      expect_right_going_round<Program>("claim.", {.sequences = rule});
    }
  });
}

TEST_F(idle_set_programs, with_a_parker_lose_no_wake_up) {
  models::idle_set_with_parker::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) expect_right_going_round<Program>("", {.sequences = rule});
  });
}

TEST_F(idle_set_programs, catch_every_mutant) {
  expect_mutants_caught<idle_set_orders, models::idle_set_programs>(models::idle_set_mutants);
}

TEST_F(idle_set_programs, catch_every_broken_algorithm) { expect_broken_caught<models::idle_set_broken_programs>(); }

TEST_F(idle_set_programs, need_every_order) { expect_minimal<idle_set_orders, models::idle_set_programs>(); }

/// Those that ask no more at their end than the accounts do.
using unconditional =
    models::program_list<models::on_idle_set::claimed_awake, models::on_idle_set::wide_claimed_awake,
                         models::on_idle_set::retracted, models::on_idle_set::wide_retracted,
                         models::on_idle_set::retracted_beside_others,
                         models::on_idle_set::wide_retracted_beside_others, models::on_idle_set::retracted_of_two,
                         models::on_idle_set::wide_retracted_of_two, models::on_idle_set::parked_again,
                         models::on_idle_set::wide_parked_again, models::on_idle_set::three_workers,
                         models::on_idle_set::wide_three_workers>;

TEST_F(idle_set_programs, do_without_a_thread_that_stops_anywhere) {
  unconditional::each([]<template <class> class Program>() {
    for (unsigned t = 0; t != Program<checker::model>::about.threads; ++t) {
      expect_right_going_round_without<Program>(t, "claim.");
    }
  });
}

}  // namespace
}  // namespace licit::checker_test
