/// Every client program of the census, and every must-fail mutant, under the exhaustive checker.

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/census/mutants.hpp"
#include "programs/census/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using census_programs = with_orders<census_orders>;

TEST_F(census_programs, are_right_in_every_execution) {
  models::census_programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) expect_right_though_it_waits<Program>({.sequences = rule});
  });
}

TEST_F(census_programs, catch_every_mutant) {
  expect_mutants_caught<census_orders, models::census_programs>(models::census_mutants);
}

}  // namespace
}  // namespace licit::checker_test
