/// Every client program of the LIFO slot, and every must-fail mutant, under the exhaustive checker.
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/lifo_slot/mutants.hpp"
#include "programs/lifo_slot/programs.hpp"

namespace licit::checker_test {
namespace {

using lifo_slot_programs = with_orders<lifo_slot_orders>;

TEST_F(lifo_slot_programs, are_right_in_every_execution) { expect_right_by_both_rules<models::lifo_slot_programs>(); }

TEST_F(lifo_slot_programs, catch_every_mutant) {
  expect_mutants_caught<lifo_slot_orders, models::lifo_slot_programs>(models::lifo_slot_mutants);
}

TEST_F(lifo_slot_programs, catch_every_broken_algorithm) { expect_broken_caught<models::lifo_slot_broken_programs>(); }

TEST_F(lifo_slot_programs, need_every_order) { expect_minimal<lifo_slot_orders, models::lifo_slot_programs>(); }

TEST_F(lifo_slot_programs, do_without_a_thread_that_stops_anywhere) {
  expect_right_without_any<models::lifo_slot_programs>();
}

}  // namespace
}  // namespace licit::checker_test
