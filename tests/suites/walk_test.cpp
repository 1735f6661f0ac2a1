/// Walks on the Chase-Lev deque's mutants: each is found by a sample, and its violation is replayed.
#include <algorithm>
#include <stdexcept>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

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

/// What the search finds wrong is found wrong again, in the same way, when its record is replayed.
TEST(walks, replay_the_violations_of_every_mutant) {
  const suites::structure& s = chase_lev();
  for (const suites::mutant& m : s.mutants) {
    s.apply(m.what);
    unsigned caught = 0;
    for (const suites::program& p : s.programs) {
      const verdict v = p.explore({});
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
TEST(walks, find_the_mutants_in_samples) {
  const suites::structure& s = chase_lev();
  for (const mode how : {mode::random, mode::pct}) {
    for (const suites::mutant& m : s.mutants) {
      s.apply(m.what);
      const bool caught = std::ranges::any_of(s.programs, [&](const suites::program& p) {
        const verdict v = p.explore({.how = how, .sample = {.executions = 5000}});
        EXPECT_TRUE(v.kind == violation::none || v.number < 5000);
        EXPECT_NE(v.kind, violation::nondeterministic) << v.message;
        return v.kind != violation::none;
      });
      EXPECT_TRUE(caught) << m.name << (how == mode::pct ? " by pct" : " at random");
      s.reset();
    }
  }
}

}  // namespace
}  // namespace licit::suites_test
