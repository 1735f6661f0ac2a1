/// What a checked structure's programs must do beyond being right: catch what is made wrong, do without a thread that
/// stops, and need each order of the table.
#ifndef LICIT_TESTS_CHECKER_JUDGED_PROGRAMS_HPP
#define LICIT_TESTS_CHECKER_JUDGED_PROGRAMS_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

#include <licit/audit/audit.hpp>
#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "right_programs.hpp"

namespace licit::checker_test {

/// By one of the programs.
template <class Programs>
bool caught_by(checker::release_sequences rule) {
  bool caught = false;
  Programs::each([&]<template <class> class Program>() {
    caught = caught || checker::run<Program>({.sequences = rule}).outcome == checker::outcome::violation;
  });
  return caught;
}

/// By some program, under either rule.
template <const auto& Table, class Programs>
void expect_mutants_caught(std::span<const models::mutant> mutants) {
  for (const models::mutant& m : mutants) {
    for (const checker::release_sequences rule : rules) {
      checker::live_orders<Table>::reset();
      checker::live_orders<Table>::apply(m.what);
      EXPECT_TRUE(caught_by<Programs>(rule)) << m.name;
    }
  }
  checker::live_orders<Table>::reset();
}

/// Each by itself, under either rule.
template <class Programs>
void expect_broken_caught() {
  Programs::each([]<template <class> class Program>() {
    for (const checker::release_sequences rule : rules) {
      const checker::verdict v = checker::run<Program>({.sequences = rule});
      const std::string name(Program<checker::model>::about.name);
      EXPECT_EQ(v.outcome, checker::outcome::violation) << name;
      if (rule == rules.front()) std::printf("  %-28s %s\n", name.c_str(), v.message.c_str());
    }
  });
}

/// The others get on, and what is right stays so, when the thread is stopped for good at any step that it comes to,
/// which are at least so many.
template <template <class> class Program>
std::uint64_t expect_right_without(unsigned thread, unsigned steps = 1, checker::options o = {}) {
  std::uint64_t executions = 0;
  unsigned after = 0;
  for (bool came_to_it = true; came_to_it; ++after) {
    o.stalled = {.thread = thread, .after = after};
    const checker::verdict v = checker::run<Program>(o);
    EXPECT_EQ(v.outcome, checker::outcome::ok) << Program<checker::model>::about.name << ", thread " << thread
                                               << " after " << after << ": " << v.message << "\n"
                                               << v.trace;
    EXPECT_EQ(v.blocked, 0U) << Program<checker::model>::about.name;
    if (v.outcome != checker::outcome::ok) return executions;
    executions += v.executions;
    came_to_it = v.stalled;
  }
  EXPECT_GT(after, steps) << Program<checker::model>::about.name << ": a thread that was to be stopped takes no steps";
  return executions;
}

/// Every thread of every program.
template <class Programs>
void expect_right_without_any(unsigned steps = 1, const checker::options& o = {}) {
  std::uint64_t executions = 0;
  Programs::each([&]<template <class> class Program>() {
    for (unsigned t = 0; t != Program<checker::model>::about.threads; ++t) {
      executions += expect_right_without<Program>(t, steps, o);
    }
  });
  std::printf("  %llu executions\n", static_cast<unsigned long long>(executions));
}

/// What an execution's threads did last, of those that the site's name begins with.
inline bool ends_at(const checker::detail::graph& g, std::string_view prefix) {
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    const auto events = g.thread(t);
    if (events.empty() || g[events.back()].op.site == nullptr) continue;
    if (std::string_view(g[events.back()].op.site).starts_with(prefix)) return true;
  }
  return false;
}

/// As `expect_right`; but a thread may be left that would go round in a loop once more, of whose sites the names begin
/// so. Such an execution is a part of another.
template <template <class> class Program>
void expect_right_going_round(std::string_view loop, checker::options o = {}) {
  std::uint64_t going_round = 0;
  o.observe_blocked = [&](const checker::detail::graph& g) { going_round += ends_at(g, loop) ? 1U : 0U; };
  const checker::verdict v = checker::run<Program>(o);
  const std::string name(Program<checker::model>::about.name);
  EXPECT_EQ(v.outcome, checker::outcome::ok) << name << ": " << v.message << "\n" << v.trace;
  EXPECT_EQ(v.blocked, going_round) << name << ": blocked elsewhere than at " << loop;
  if (o.stalled.thread == checker::stall::nobody) {
    std::printf("  %-28s %8llu executions, %llu going round, %7.3f s\n", name.c_str(),
                static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked), v.seconds);
  }
}

/// The same when a thread is stopped for good, at any step that it comes to.
template <template <class> class Program>
void expect_right_going_round_without(unsigned thread, std::string_view loop) {
  const std::string name(Program<checker::model>::about.name);
  unsigned after = 0;
  for (bool came_to_it = true; came_to_it; ++after) {
    const checker::verdict v = checker::run<Program>({.stalled = {.thread = thread, .after = after}});
    EXPECT_EQ(v.outcome, checker::outcome::ok)
        << name << ", thread " << thread << " after " << after << ": " << v.message << "\n"
        << v.trace;
    if (v.outcome != checker::outcome::ok) return;
    if (v.blocked != 0) expect_right_going_round<Program>(loop, {.stalled = {.thread = thread, .after = after}});
    came_to_it = v.stalled;
  }
  EXPECT_GT(after, 1U) << name << ": a thread that was to be stopped takes no steps";
}

template <const auto& Table, template <class> class... Programs>
audit::report audited(models::program_list<Programs...> /*all*/) {
  return audit::audit(audit::subject_of<Table, Programs...>());
}

/// The table is enough, and every order that is not relaxed is needed.
template <const auto& Table, class Programs>
void expect_minimal() {
  const audit::report r = audited<Table>(Programs{});
  EXPECT_EQ(r.sufficient.found, audit::finding::passed) << r.sufficient.message;
  for (const audit::audited_row& row : r.rows) {
    const bool ordered = row.entry.success != order::relaxed || row.entry.failure != order::relaxed;
    EXPECT_EQ(row.verdict, ordered ? audit::need::needed : audit::need::relaxed) << row.entry.site;
    for (const audit::weakening& w : row.weaker) {
      std::printf("  %-16s weaker: %s in %s%s\n", std::string(row.entry.site).c_str(), w.result.kind.c_str(),
                  w.result.program.c_str(), w.ghost_only ? " (a ghost's)" : "");
    }
  }
}

}  // namespace licit::checker_test

#endif
