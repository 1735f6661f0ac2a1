/// Every client program of models/programs, and every must-fail mutant, under the exhaustive checker.
#include "programs/chase_lev/programs.hpp"

#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/chase_lev/mutants.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<chase_lev_orders>;

using programs = with_orders<chase_lev_orders>;

TEST_F(programs, are_right_in_every_execution) { expect_right_by_both_rules<models::chase_lev_programs>(); }

/// By how many of the programs.
unsigned caught(release_sequences rule) {
  unsigned by = 0;
  models::chase_lev_programs::each([&]<template <class> class Program>() {
    by += checker::run<Program>({.sequences = rule}).end == checker::ending::violation ? 1U : 0U;
  });
  return by;
}

TEST_F(programs, catch_every_mutant) {
  for (const models::mutant& m : models::chase_lev_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      const bool old_rule_hides_it = m.name == "pop.reserve relaxed" && rule == release_sequences::cxx11;
      EXPECT_EQ(caught(rule) == 0, old_rule_hides_it) << m.name;
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
