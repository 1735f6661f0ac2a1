/// Walks on the Chase-Lev deque's mutants: each is found by a sample, and its violation is replayed.
/// Clients of the Chase-Lev deque made smaller: to what, exactly.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/checker/run.hpp>
#include <licit/checker/shrink.hpp>

#include <gtest/gtest.h>

#include "suites/crew.hpp"
#include "suites/structure.hpp"

namespace licit::suites_test {
namespace {

using checker::mode;
using checker::outcome;
using checker::verdict;
using checker::violation;

const suites::structure& chase_lev() {
  const auto all = suites::structures();
  const auto found = std::ranges::find(all, "chase-lev", &suites::structure::name);
  if (found == all.end()) throw std::logic_error("no chase-lev");
  return *found;
}

/// What the search finds wrong within so many executions is found wrong again, in the same way, when its record is
/// replayed.
TEST(walks, replay_the_violations_of_every_mutant) {
  constexpr std::uint64_t most = 2'000;
  const suites::structure& s = chase_lev();
  for (const suites::mutant& m : s.mutants) {
    s.apply(m.what);
    unsigned caught = 0;
    for (const suites::program& p : s.programs) {
      const verdict v = p.explore({.max_executions = most});
      if (v.outcome != outcome::violation) continue;
      ++caught;
      checker::options o;
      o.how = mode::replay;
      o.sample.steps = &v.steps;
      const verdict again = p.explore(o);
      EXPECT_EQ(again.kind, v.kind) << m.name << ": " << p.about.name << "\n" << v.trace << again.message;
      EXPECT_EQ(again.message, v.message) << m.name << ": " << p.about.name;
    }
    EXPECT_NE(caught, 0U) << m.name;
    s.reset();
  }
}

/// Within so many executions of one program or another, at this seed.
void expect_all_caught(mode how) {
  const suites::structure& s = chase_lev();
  for (const suites::mutant& m : s.mutants) {
    s.apply(m.what);
    const bool caught = std::ranges::any_of(s.programs, [&](const suites::program& p) {
      const verdict v = p.explore({.how = how, .sample = {.executions = 5000}});
      EXPECT_TRUE(v.kind == violation::none || v.number < 5000);
      EXPECT_NE(v.kind, violation::nondeterministic) << v.message;
      return v.kind != violation::none;
    });
    EXPECT_TRUE(caught) << m.name;
    s.reset();
  }
}

TEST(walks, find_the_mutants_at_random) { expect_all_caught(mode::random); }

TEST(walks, find_the_mutants_by_pct_long) { expect_all_caught(mode::pct); }

}  // namespace
}  // namespace licit::suites_test

namespace licit::suites {
namespace {

TEST(Crew, ManySamplesAreRight_long) {
  unsigned sampled = 0;
  for (const structure& s : structures()) {
    if (s.name != crew_orders.structure) continue;
    s.reset();
    for (const program& p : s.sampled) {
      for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
        const checker::verdict v = p.explore({.how = how, .sample = {.executions = 100'000}});
        EXPECT_EQ(v.outcome, checker::outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
        ++sampled;
      }
    }
  }
  EXPECT_NE(sampled, 0U);
}

}  // namespace
}  // namespace licit::suites

namespace licit::suites_test {
namespace {

using checker::verdict;
using suites::change;

/// The smallest client that shows the mutant of the table.
std::string smallest(std::string_view program, const suites::mutation& m, std::uint64_t executions = 20'000) {
  const auto all = suites::structures();
  const auto s = std::ranges::find(all, "chase-lev", &suites::structure::name);
  if (s == all.end()) throw std::logic_error("no chase-lev");
  const auto p = std::ranges::find(s->programs, program, [](const suites::program& each) { return each.about.name; });
  if (p == s->programs.end()) throw std::logic_error("no such program");
  s->apply(m);
  const verdict wrong = p->explore({});
  const auto found = checker::shrink(p->explore, {}, wrong, executions);
  s->reset();
  if (!found) return "nothing";
  EXPECT_EQ(found->kind, wrong.kind);
  EXPECT_LE(found->picture.steps.size(), wrong.picture.steps.size());
  return found->client;
}

TEST(shrinking, pop_without_its_fence) {
  EXPECT_EQ(smallest("two_items", {"pop.fence", change::drop}), "thread 0: push, push, pop, pop; thread 1: steal");
}
TEST(shrinking, two_growths_to_one) {
  EXPECT_EQ(smallest("growth_two_thieves", {"grow.publish", change::weaken}),
            "thread 0: push, push; thread 1: steal; thread 2: nothing");
}
TEST(shrinking, two_thieves_to_one) {
  EXPECT_EQ(smallest("lap_two_thieves", {"push.publish", change::weaken}),
            "thread 0: push; thread 1: steal; thread 2: nothing");
}
TEST(shrinking, an_item_that_is_lost_without_any_thief) {
  EXPECT_EQ(smallest("refill", {"pop.restore", change::drop}), "thread 0: push, pop, push; thread 1: nothing");
}
TEST(shrinking, gives_up_at_the_limit) { EXPECT_EQ(smallest("two_items", {"pop.fence", change::drop}, 1), "nothing"); }

}  // namespace
}  // namespace licit::suites_test
