/// Clients of the Chase-Lev deque made smaller: to what, exactly.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/checker/shrink.hpp>

#include <gtest/gtest.h>

#include "suites/catalogue.hpp"

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
