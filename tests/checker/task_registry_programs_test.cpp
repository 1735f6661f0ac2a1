/// Every client program of the task registry, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/task_registry/mutants.hpp"
#include "programs/task_registry/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using task_registry_programs = with_orders<task_registry_orders>;

TEST_F(task_registry_programs, are_right_in_every_execution) {
  expect_right_by_both_rules<models::task_registry_programs>();
}

TEST_F(task_registry_programs, need_every_order_of_the_table) {
  expect_minimal<task_registry_orders, models::task_registry_programs>();
}

TEST_F(task_registry_programs, have_a_mutant_for_every_row_that_is_not_relaxed) {
  for (const row& r : task_registry_orders.rows) {
    const auto mutants = std::ranges::count_if(models::task_registry_mutants, [&](const models::mutant& m) {
      return m.what.site == r.site && m.what.how == models::change::weaken;
    });
    const int weaker = r.success == order::relaxed ? 0 : 1;
    EXPECT_EQ(mutants, weaker) << r.site;
  }
}

TEST_F(task_registry_programs, catch_every_mutant) {
  expect_mutants_caught<task_registry_orders, models::task_registry_programs>(models::task_registry_mutants);
}

TEST_F(task_registry_programs, catch_every_broken_algorithm) {
  expect_broken_caught<models::task_registry_broken_programs>();
}

// At every step that it comes to.
TEST_F(task_registry_programs, do_without_a_thread_that_stops_anywhere) {
  expect_right_without_any<models::task_registry_programs>(2);
}

}  // namespace
}  // namespace licit::checker_test
