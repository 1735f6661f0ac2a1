/// The client programs of the Chase-Lev deque over asymmetric fences, and over the full ones that stand in for them;
/// their mutants; and whether every order of the table is needed.
#include <array>
#include <cstdio>
#include <string>

#include <licit/audit/audit.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/chase_lev/asymmetric.hpp"
#include "programs/chase_lev/asymmetric_mutants.hpp"
#include "programs/chase_lev/full_fences.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {
namespace {

using checker::ending;
using checker::release_sequences;
using checker::verdict;
using orders = models::live_orders<chase_lev_asymmetric_orders>;
using full_orders = models::live_orders<chase_lev_orders>;

template <template <class> class Program>
constexpr std::string_view name_of = Program<checker::model>::about.name;

/// These take a minute: under C++11's rule, and with full fences, it is the nightly test that has them.
constexpr bool is_large(std::string_view program) {
  return program == "growth_two_thieves" || program == "lap_two_thieves" || program == "crowd";
}

class chase_lev_asymmetric : public with_orders<chase_lev_asymmetric_orders, chase_lev_orders> {};
class chase_lev_asymmetric_long : public chase_lev_asymmetric {};

TEST_F(chase_lev_asymmetric, programs_are_right_in_every_execution) {
  models::chase_lev_asymmetric_programs::each([]<template <class> class Program>() {
    expect_right<Program>({});
    if (!is_large(name_of<Program>)) expect_right<Program>({.sequences = release_sequences::cxx11});
  });
}

TEST_F(chase_lev_asymmetric_long, programs_are_right_under_the_old_rule_too) {
  models::chase_lev_asymmetric_programs::each([]<template <class> class Program>() {
    if (is_large(name_of<Program>)) expect_right<Program>({.sequences = release_sequences::cxx11});
  });
}

TEST_F(chase_lev_asymmetric_long, programs_are_right_with_full_fences_on_both_sides) {
  models::chase_lev_fallback_programs::each([]<template <class> class Program>() {
    if (!is_large(name_of<Program>)) return;
    for (const release_sequences rule : rules) expect_right<Program>({.sequences = rule});
  });
}

TEST_F(chase_lev_asymmetric, programs_are_right_with_full_fences_on_both_sides) {
  models::chase_lev_fallback_programs::each([]<template <class> class Program>() {
    if (is_large(name_of<Program>)) return;
    for (const release_sequences rule : rules) expect_right<Program>({.sequences = rule});
  });
}

/// The name of the first program that catches what is wrong now, or nothing.
template <class Programs>
std::string caught_by(release_sequences rule) {
  std::string by;
  Programs::each([&]<template <class> class Program>() {
    if (!by.empty()) return;
    if (checker::run<Program>({.sequences = rule}).end == ending::violation) by = name_of<Program>;
  });
  return by;
}

TEST_F(chase_lev_asymmetric, programs_catch_every_mutant) {
  for (const models::mutant& m : models::chase_lev_asymmetric_mutants) {
    for (const release_sequences rule : rules) {
      // C++11: any later store of the owner continues the release sequence of its last release store.
      const bool hidden =
          rule == release_sequences::cxx11 && (m.name == "pop.reserve relaxed" || m.name == "pop.restore relaxed");
      orders::reset();
      orders::apply(m.what);
      if (hidden) continue;
      const std::string by = caught_by<models::chase_lev_asymmetric_programs>(rule);
      EXPECT_NE(by, "") << m.name;
      std::printf("  %-32s %s\n", std::string(m.name).c_str(), by.c_str());
    }
  }
}

TEST_F(chase_lev_asymmetric, broken_programs_are_caught) {
  models::chase_lev_asymmetric_broken_programs::each([]<template <class> class Program>() {
    for (const release_sequences rule : rules) {
      const verdict v = checker::run<Program>({.sequences = rule});
      EXPECT_EQ(v.end, ending::violation) << name_of<Program>;
      EXPECT_EQ(v.kind, checker::violation::race) << name_of<Program> << ": " << v.message;
    }
  });
}

TEST_F(chase_lev_asymmetric, full_fences_are_those_of_the_symmetric_table) {
  for (const char* fence : {"pop.fence", "steal.fence"}) {
    full_orders::reset();
    full_orders::apply({.site = fence, .how = models::change::weaken, .success = order::acq_rel});
    EXPECT_NE(caught_by<models::chase_lev_fallback_programs>(release_sequences::cxx20), "") << fence;
  }
}

/// Each thread stopped for good before each of its steps: the others get on without it.
template <template <class> class Program>
unsigned stall_everywhere() {
  unsigned steps = 0;
  for (unsigned thread = 0; thread != checker::threads_of<Program<checker::model>>(); ++thread) {
    for (unsigned after = 0;; ++after) {
      const verdict v = checker::run<Program>({.leaks = false, .stalled = {.thread = thread, .after = after}});
      EXPECT_EQ(v.end, ending::ok) << name_of<Program> << ", thread " << thread << " after " << after << ": "
                                   << v.message << "\n"
                                   << v.trace;
      if (!v.stalled) break;
      ++steps;
    }
  }
  return steps;
}

TEST_F(chase_lev_asymmetric, a_stalled_thread_stops_nobody) {
  models::chase_lev_asymmetric_programs::each([]<template <class> class Program>() {
    if (Program<checker::model>::about.threads > 2 && name_of<Program> != "last_item_two_thieves") return;
    EXPECT_GT(stall_everywhere<Program>(), 10U) << name_of<Program>;
  });
}

template <template <class> class... Programs>
audit::subject subject(models::program_list<Programs...> /*all*/) {
  return audit::subject_of<chase_lev_asymmetric_orders, Programs...>();
}

TEST_F(chase_lev_asymmetric, every_order_of_the_table_is_needed) {
  // Weaker orders break something in the smaller ones already.
  using small = models::adapted_list<asymmetric_policy,
                                     models::program_list<models::last_item, models::overwrite, models::no_false_empty,
                                                          models::two_items, models::wrap_around>,
                                     models::restored_bottom>::type;
  const audit::report r = audit::audit(subject(small{}));
  EXPECT_EQ(r.sufficient.found, audit::finding::passed) << r.sufficient.message;
  unsigned needed = 0;
  for (const audit::audited_row& row : r.rows) {
    EXPECT_NE(row.verdict, audit::need::not_needed) << row.entry.site;
    EXPECT_NE(row.verdict, audit::need::unknown) << row.entry.site;
    if (row.verdict == audit::need::needed) ++needed;
  }
  EXPECT_EQ(needed, 10U);
}

}  // namespace
}  // namespace licit::checker_test
