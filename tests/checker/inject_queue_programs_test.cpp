/// Every client program of the inject queue, and every must-fail mutant, under the exhaustive checker.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/inject_queue/mutants.hpp"
#include "programs/inject_queue/programs.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::release_sequences;
using orders = models::live_orders<inject_queue_orders>;

using inject_queue_programs = with_orders<inject_queue_orders>;

TEST_F(inject_queue_programs, are_right_in_every_execution) {
  expect_right_by_both_rules<models::inject_queue_programs>();
}

TEST_F(inject_queue_programs, have_a_mutant_for_every_row_that_is_not_relaxed) {
  for (const row& r : inject_queue_orders.rows) {
    const bool ordered = r.success != order::relaxed || r.failure != order::relaxed;
    const bool weakened = std::ranges::any_of(models::inject_queue_mutants, [&](const models::mutant& m) {
      return m.what.site == r.site && m.what.how == models::change::weaken && m.what.success == order::relaxed;
    });
    EXPECT_EQ(ordered, weakened) << r.site;
  }
}

/// Whether by one of the programs: they come cheapest first.
bool caught(release_sequences rule) {
  bool by_any = false;
  models::inject_queue_programs::each([&]<template <class> class Program>() {
    by_any = by_any || checker::run<Program>({.sequences = rule}).end == checker::ending::violation;
  });
  return by_any;
}

TEST_F(inject_queue_programs, catch_every_mutant) {
  for (const models::mutant& m : models::inject_queue_mutants) {
    for (const release_sequences rule : rules) {
      orders::reset();
      orders::apply(m.what);
      EXPECT_TRUE(caught(rule)) << m.name;
    }
  }
}

TEST_F(inject_queue_programs, catch_every_broken_algorithm) {
  models::inject_queue_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.end, checker::ending::violation) << name;
      std::printf("  %-24s %s\n", name.c_str(), v.message.c_str());
    }
  });
}

/// Every thread is stopped for good at every step that it comes to.
template <template <class> class Program>
std::uint64_t run_stalled() {
  std::uint64_t executions = 0;
  for (unsigned t = 0; t != Program<checker::model>::about.threads; ++t) {
    unsigned after = 0;
    for (bool came_to_it = true; came_to_it; ++after) {
      const checker::verdict v = checker::run<Program>({.stalled = {.thread = t, .after = after}});
      EXPECT_EQ(v.end, checker::ending::ok)
          << Program<checker::model>::about.name << ", thread " << t << " after " << after << ": " << v.message << "\n"
          << v.trace;
      if (v.end != checker::ending::ok) return executions;
      EXPECT_EQ(v.blocked, 0U);
      executions += v.executions;
      came_to_it = v.stalled;
    }
    EXPECT_GT(after, 3U) << "a thread that was to be stopped takes no steps";
  }
  return executions;
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
  std::uint64_t executions = 0;
  with_one_stopped::each([&]<template <class> class Program>() {
    const std::uint64_t of_this = run_stalled<Program>();
    std::printf("  %-24s %llu executions\n", Program<checker::model>::about.name.data(),
                static_cast<unsigned long long>(of_this));
    executions += of_this;
  });
  std::printf("  %llu executions\n", static_cast<unsigned long long>(executions));
}

}  // namespace
}  // namespace licit::checker_test
