// Failing executions are made smaller: by a judge that is given in place of a guest.
#include <functional>

#include <gtest/gtest.h>

#include "machine/qemu/decisions.hpp"

namespace licit::qemu {
namespace {

using list = decisions::list;

// The smallest that fails by `fails`, and how many were tried.
list smallest(const list& from, const std::function<bool(const list&)>& fails, unsigned* tried = nullptr) {
  shrink s(from);
  unsigned n = 0;
  while (const auto script = s.propose()) {
    s.judge(fails(*script), *script);
    if (++n > 10'000) ADD_FAILURE() << "does not end";
    if (n > 10'000) break;
  }
  if (tried != nullptr) *tried = n;
  return s.smallest();
}

TEST(shrink, what_is_needed_stays) {
  const auto needs = [](const list& l) { return l[3] == 1 && l[17] == 2; };
  list from(40, 1);
  from[17] = 2;
  list wanted(40, 0);
  wanted[3] = 1;
  wanted[17] = 2;
  EXPECT_EQ(smallest(from, needs), wanted);
}

TEST(shrink, one_that_always_fails_becomes_plain) {
  EXPECT_EQ(smallest(list(30, 3), [](const list&) { return true; }), list(30, 0));
}

TEST(shrink, one_that_needs_all_stays_and_ends) {
  const list all(20, 1);
  unsigned tried = 0;
  EXPECT_EQ(smallest(all, [&](const list& l) { return l == all; }, &tried), all);
  EXPECT_LT(tried, 100U);
}

TEST(shrink, no_single_decision_can_be_made_plain_in_the_end) {
  const auto fails = [](const list& l) { return (l[1] != 0 && l[2] != 0) || (l[5] != 0 && l[6] != 0 && l[9] != 0); };
  list found = smallest(list(12, 1), fails);
  ASSERT_TRUE(fails(found));
  for (auto& which : found) {
    if (which == 0) continue;
    which = 0;
    EXPECT_FALSE(fails(found));
    which = 1;
  }
}

TEST(shrink, a_plain_one_has_nothing_to_try) {
  unsigned tried = 1;
  EXPECT_EQ(smallest(list(5, 0), [](const list&) { return true; }, &tried), list(5, 0));
  EXPECT_EQ(tried, 0U);
}

// A changed decision changes what comes after it: other decisions are then taken, more of them perhaps.
TEST(shrink, an_execution_that_is_not_plainer_is_not_taken) {
  shrink s(list{1, 1});
  (void)s.propose();
  s.judge(true, list{0, 1, 1, 1});
  EXPECT_EQ(s.smallest(), (list{1, 1}));
  unsigned tried = 0;
  while (s.propose() && tried != 100) {
    s.judge(true, list{0, 1, 1, 1});
    ++tried;
  }
  EXPECT_LT(tried, 10U);
}

}  // namespace
}  // namespace licit::qemu
