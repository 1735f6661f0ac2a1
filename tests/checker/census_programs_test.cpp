/// Every client program of the census, and every must-fail mutant, under the exhaustive checker.
#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/census/mutants.hpp"
#include "programs/census/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using orders = models::live_orders<census_orders>;
using census_programs = with_orders<census_orders>;

TEST_F(census_programs, are_right_in_every_execution) {
  models::census_programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) expect_right_though_it_waits<Program>({.sequences = rule});
  });
}

TEST_F(census_programs, catch_every_mutant) {
  for (const models::mutant& m : models::census_mutants) {
    for (const checker::release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      unsigned by = 0;
      models::census_programs::each([&]<template <class> class Program>() {
        if (checker::run<Program>({.sequences = rule}).end == checker::ending::violation) ++by;
      });
      EXPECT_NE(by, 0U) << m.name;
    }
  }
}

}  // namespace
}  // namespace licit::checker_test
