/// Whether a row's programs are the same code, and what of a row the language alone makes wrong: rows of which it is
/// known.
#include "machine/matrix/same_code.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"
#include "machine/matrix/rows.hpp"

namespace {

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
