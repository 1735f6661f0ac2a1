/// Every client program of the inject queue, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "judged_programs.hpp"
#include "programs/inject_queue/mutants.hpp"
#include "programs/inject_queue/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using inject_queue_programs = with_orders<inject_queue_orders>;

TEST_F(inject_queue_programs, are_right_in_every_execution) {
  models::inject_queue_programs::each([]<template <class> class Program>() {
    // There a ticket is given back and the tail moved by whoever is first; the other tries again.
    const bool tries_again = Program<checker::model>::about.name == "given_back";
    for (const checker::release_sequences rule : rules) {
      const checker::verdict v = expect_right_though_it_waits<Program>({.sequences = rule});
      EXPECT_EQ(v.blocked != 0, tries_again) << Program<checker::model>::about.name;
    }
  });
}

TEST_F(inject_queue_programs, have_a_mutant_for_every_row_that_is_not_relaxed) {
  for (const row& r : inject_queue_orders.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    const bool weakened = std::ranges::any_of(models::inject_queue_mutants, [&](const models::mutant& m) {
      return m.what.site == r.site && m.what.how == checker::change::weaken && m.what.success == order::relaxed;
    });
    EXPECT_EQ(ordered, weakened) << r.site;
  }
}

TEST_F(inject_queue_programs, catch_every_mutant) {
  expect_mutants_caught<inject_queue_orders, models::inject_queue_programs>(models::inject_queue_mutants);
}

TEST_F(inject_queue_programs, catch_every_broken_algorithm) {
  expect_broken_caught<models::inject_queue_broken_programs>();
}

// Not two_pushers: six million executions; each of its threads does what a thread of others does.
using with_one_stopped =
    models::program_list<models::on_inject_queue::one_segment, models::on_inject_queue::next_segment,
                         models::on_inject_queue::pushers_at_the_end, models::on_inject_queue::pushers_and_taker,
                         models::on_inject_queue::takers_at_the_end, models::on_inject_queue::two_takers,
                         models::on_inject_queue::batch, models::on_inject_queue::batch_at_the_end,
                         models::on_inject_queue::batch_overtaken, models::on_inject_queue::destruction,
                         models::on_inject_queue::recycled, models::on_inject_queue::no_false_empty,
                         models::on_inject_queue::without_memory, models::on_inject_queue::kept,
                         models::on_inject_queue::kept_by_two, models::on_inject_queue::closed>;

TEST_F(inject_queue_programs, do_without_a_thread_that_stops_anywhere) {
  expect_right_without_any<with_one_stopped>(3);
}

}  // namespace
}  // namespace licit::checker_test
