/// The worker loop and what workers share: every client program, mutant and broken rule under the exhaustive checker.
#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/crew/mutants.hpp"
#include "programs/crew/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;

using crew_programs = with_orders<crew_orders, crew_asymmetric_orders>;
using crew_programs_long = crew_programs;

template <class Programs>
void expect_all_right() {
  Programs::each([]<template <class> class Program>() { expect_right_though_it_waits<Program>({}); });
}

TEST_F(crew_programs, are_right_in_every_execution) { expect_all_right<models::crew_programs>(); }
TEST_F(crew_programs, are_right_with_asymmetric_fences) { expect_all_right<models::crew_asymmetric_programs>(); }

TEST_F(crew_programs, catch_every_mutant) {
  expect_mutants_caught<crew_orders, models::crew_programs>(models::crew_mutants);
}
TEST_F(crew_programs, catch_every_mutant_of_asymmetric_fences) {
  expect_mutants_caught<crew_asymmetric_orders, models::crew_asymmetric_programs>(models::crew_asymmetric_mutants);
}
TEST_F(crew_programs, catch_every_broken_rule) { expect_broken_caught<models::crew_broken_programs>(); }

// What is too large to exhaust, by samples of both kinds.
TEST_F(crew_programs, are_right_in_samples) {
  models::crew_sampled_programs::each([]<template <class> class Program>() {
    for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
      expect_right_though_it_waits<Program>({.how = how, .sample = {.executions = 3'000}});
    }
  });
}

TEST_F(crew_programs_long, are_right_in_every_execution) { expect_all_right<models::crew_long_programs>(); }
TEST_F(crew_programs_long, are_right_in_samples) {
  models::crew_sampled_programs::each([]<template <class> class Program>() {
    for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
      expect_right_though_it_waits<Program>({.how = how, .sample = {.executions = 2'000'000}});
    }
  });
}

}  // namespace
}  // namespace licit::checker_test
