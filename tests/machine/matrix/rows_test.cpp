/// The rows: which weakenings there are, and what they are called.
#include "machine/matrix/rows.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/chase_lev_orders.hpp>

#include <gtest/gtest.h>

#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"
#include "machine/matrix/same_code.hpp"

namespace {

using licit::operation;
using licit::order;
namespace matrix = licit::matrix;
using matrix::kind;

std::vector<std::string> names_of(const licit::row& r) {
  std::vector<std::string> names;
  for (const matrix::weakening& w : matrix::weakenings_of(r)) names.push_back(w.name);
  return names;
}

const matrix::row& row_called(const std::string& id) {
  const auto found = std::ranges::find(matrix::all_rows(), id, &matrix::row::id);
  if (found == matrix::all_rows().end()) throw std::runtime_error("no row " + id);
  return *found;
}

using names = std::vector<std::string>;

TEST(Weaker, OneStepAndFullyWithoutDoubles) {
  EXPECT_EQ(names_of(licit::rows::load("a", order::seq_cst, {"b"}, "")), (names{"a acquire", "a relaxed"}));
  EXPECT_EQ(names_of(licit::rows::store("a", order::seq_cst, {"b"}, "")), (names{"a release", "a relaxed"}));
  EXPECT_EQ(names_of(licit::rows::load("a", order::acquire, {"b"}, "")), names{"a relaxed"});
  EXPECT_EQ(names_of(licit::rows::store("a", order::relaxed, {}, "")), names{});
  EXPECT_EQ(names_of(licit::rows::update("a", order::acq_rel, {"b"}, "")),
            (names{"a acquire", "a release", "a relaxed"}));
  EXPECT_EQ(names_of(licit::rows::fence("a", order::seq_cst, {"b"}, "")), (names{"a acq_rel", "a removed"}));
  EXPECT_EQ(names_of(licit::rows::light_fence("a", {"b"}, "")), names{"a removed"});
}

TEST(Weaker, BothOrdersOfACompareExchange) {
  const auto r = licit::rows::compare_exchange("a", order::acq_rel, order::acquire, {"b"}, "");
  EXPECT_EQ(names_of(r), (names{"a success acquire", "a success release", "a failure relaxed", "a relaxed"}));
  const auto all = matrix::weakenings_of(r);
  EXPECT_EQ(all[1].what.success, order::release);
  EXPECT_EQ(all[1].what.failure, order::acquire);
  EXPECT_EQ(all[2].says, "compare_exchange acq_rel/acquire → acq_rel/relaxed");
}

TEST(Rows, EachIsOnce) {
  std::set<std::string> seen;
  for (const matrix::row& r : matrix::all_rows()) EXPECT_TRUE(seen.insert(r.id()).second) << r.id();
  EXPECT_GT(seen.size(), 300U);
}

TEST(Rows, EveryOrderOfEveryTableIsWeakened) {
  for (const auto& s : licit::suites::structures()) {
    const auto rows = matrix::rows_of(s);
    for (const licit::row& entry : s.audited.rows) {
      const bool weakened = std::ranges::any_of(
          rows, [&](const matrix::row& r) { return r.what == kind::ordering && r.changes.front().site == entry.site; });
      EXPECT_EQ(weakened, entry.success != order::relaxed || entry.failure != order::relaxed) << entry.site;
    }
  }
}

TEST(Rows, EveryMutantOfTheCatalogueIsThereByItsName) {
  for (const auto& s : licit::suites::structures()) {
    for (const auto& m : s.mutants)
      EXPECT_EQ(row_called(std::string(s.name) + "/" + std::string(m.name)).structure, s.name);
    for (const auto& p : s.broken) {
      EXPECT_EQ(row_called(std::string(s.name) + "/" + std::string(p.about.name)).what, kind::broken);
    }
    EXPECT_TRUE(row_called(std::string(s.name) + "/correct code").changes.empty());
  }
}

TEST(Rows, AFenceThatIsLeftOutIsOneThatIsRelaxed) {
  const auto rows = matrix::rows_of(matrix::structure_of(row_called("chase-lev/correct code")));
  EXPECT_EQ(std::ranges::count_if(rows,
                                  [](const matrix::row& r) {
                                    return !r.is_control() && !r.changes.empty() &&
                                           r.changes.front().site == "pop.fence";
                                  }),
            2);
  EXPECT_EQ(row_called("chase-lev/pop.fence removed").what, kind::ordering);
}

TEST(Rows, AreAppliedAndTakenBack) {
  const auto& orders =
      licit::checker::live_orders<licit::chase_lev_orders>::row(licit::chase_lev_orders.find("push.publish"));
  {
    const matrix::applied change(row_called("chase-lev/push.publish relaxed"));
    EXPECT_EQ(orders.success, order::relaxed);
  }
  EXPECT_EQ(orders.success, order::release);
}

TEST(Rows, HaveTheTableThatTheirChangesMake) {
  const auto table = matrix::table_of(row_called("chase-lev/a release fence in push"));
  EXPECT_EQ(table[licit::chase_lev_orders.find("push.fence")].success, order::release);
  EXPECT_EQ(table[licit::chase_lev_orders.find("push.publish")].success, order::relaxed);
  EXPECT_EQ(table[licit::chase_lev_orders.find("pop.fence")].success, order::seq_cst);
}

/// Whether a row's programs are the same code, and what of a row the language alone makes wrong: rows of which it is
/// known.

using licit::matrix::all_rows;
using licit::matrix::row;
using licit::matrix::same_programs;

const row& find(std::string_view id) {
  for (const row& r : all_rows()) {
    if (r.id() == id) return r;
  }
  throw std::invalid_argument("no row " + std::string(id));
}

std::optional<bool> on_aarch64(std::string_view id) { return same_programs(find(id), "aarch64", "g++"); }

class SamePrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      (void)licit::codegen::find_compiler("g++", licit::codegen::targets[1]);
    } catch (const licit::codegen::missing& none) {
      GTEST_SKIP() << none.what();
    }
  }
};

TEST_F(SamePrograms, AStoreThatReleasesNothingIsOtherCode) {
  EXPECT_EQ(on_aarch64("chase-lev/push.publish relaxed"), false);
}
TEST_F(SamePrograms, AFailureOrderIsNot) { EXPECT_EQ(on_aarch64("chase-lev/half.claim acq_rel"), true); }

TEST_F(SamePrograms, ALightFenceIsNoInstruction) {
  EXPECT_EQ(on_aarch64("chase-lev-asymmetric/pop.fence removed"), true);
}

// A structure that licit codegen does not compile.
TEST_F(SamePrograms, NoFenceIsNone) { EXPECT_EQ(on_aarch64("crew/announce.fence removed"), false); }

TEST_F(SamePrograms, NothingIsSaidOfWhatChangesNoOperation) {
  EXPECT_EQ(on_aarch64("chase-lev/correct code"), std::nullopt);
  EXPECT_EQ(on_aarch64("chase-lev/half_unseen"), std::nullopt) << "an algorithm of its own";
  EXPECT_EQ(same_programs(find("chase-lev/push.publish relaxed"), "vax", "g++"), std::nullopt);
}

constexpr std::uint64_t enough = 100'000;

TEST(ByLanguage, WhatOnlyLoadBufferingShowsIsRightWithoutIt) {
  const auto found = licit::matrix::explored_without_language(find("tagged/steal.claim relaxed"), enough);
  EXPECT_NE(found.right.find("right without load buffering: all "), std::string::npos) << found.right << found.wrong;
}

TEST(ByLanguage, WhatOnlyEndedReleaseSequencesShowIsRightUnderCpp11s) {
  const auto found = licit::matrix::explored_without_language(find("tagged/pop.reserve relaxed"), enough);
  EXPECT_NE(found.right.find("right under C++11's release sequences and without load buffering: all "),
            std::string::npos)
      << found.right << found.wrong;
}

TEST(ByLanguage, WhatAMachineMayShowIsNamed) {
  const auto found = licit::matrix::explored_without_language(find("chase-lev/pop.fence removed"), enough);
  EXPECT_EQ(found.right, "");
  EXPECT_NE(found.wrong.find(": assertion: "), std::string::npos) << found.wrong;
  EXPECT_FALSE(found.raced);
}

TEST(ByLanguage, ARaceAndNothingElseIsSaidToBeOne) {
  const auto found = licit::matrix::explored_without_language(find("task-state/complete.publish release"), enough);
  EXPECT_EQ(found.right, "");
  EXPECT_TRUE(found.raced) << found.wrong;
}

TEST(ByLanguage, OfWhatWasNotExploredNothingIsSaid) {
  const auto found = licit::matrix::explored_without_language(find("chase-lev/steal.claim relaxed"), 1);
  EXPECT_EQ(found.right, "");
  EXPECT_EQ(found.wrong, "");
}

}  // namespace
