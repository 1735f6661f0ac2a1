/// Every exhibit has its verdict, under both rules of release sequences, and the right ones their exact counts.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gallery/gallery.hpp"

namespace licit::models::gallery {

void PrintTo(const exhibit& e, std::ostream* out) { *out << e.name; }

namespace {

using checker::release_sequences;
using checker::verdict;
using checker::violation;

constexpr std::uint64_t limit = 10'000'000;

class exhibited : public testing::TestWithParam<exhibit> {};

TEST_P(exhibited, has_its_verdict) {
  for (const showing& s : GetParam().showings) {
    for (const release_sequences rule : {release_sequences::cxx20, release_sequences::cxx11}) {
      const verdict v = run(s, rule, limit);
      const expectation& e = s.expected(rule);
      const std::string what = std::string(s.program) + ", " + std::string(s.size) +
                               (rule == release_sequences::cxx20 ? ", c++20: " : ", c++11: ") + v.message;
      EXPECT_TRUE(e.met_by(v)) << what << "\n" << v.trace;
      if (e.kind == violation::none) {
        EXPECT_GE(v.executions, e.executions) << what;
        EXPECT_LE(v.executions, e.loops ? e.executions * 3 / 2 : e.executions) << what;
      } else {
        EXPECT_FALSE(e.message.empty()) << what << ": an expected failure says which";
        EXPECT_FALSE(v.trace.empty()) << what;
      }
    }
  }
}

/// RC11 has no load buffering, and what stands in for it decides nothing here: without ghosts the verdicts are the
/// same.
TEST_P(exhibited, does_not_need_ghosts) {
  for (const showing& s : GetParam().showings) {
    const verdict v = s.run({.ghosts = false, .timeouts = s.timeouts});
    EXPECT_EQ(v.kind, s.cxx20.kind) << s.program << ": " << v.message;
  }
}

INSTANTIATE_TEST_SUITE_P(gallery, exhibited, testing::ValuesIn(exhibits().begin(), exhibits().end()),
                         [](const testing::TestParamInfo<exhibit>& e) {
                           std::string name(e.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(exhibits, are_complete) {
  std::set<std::string_view> names;
  for (const exhibit& e : exhibits()) {
    EXPECT_TRUE(names.insert(e.name).second) << e.name << " twice";
    for (const std::string_view text : {e.file, e.source, e.claim, e.lesson}) EXPECT_FALSE(text.empty()) << e.name;
    EXPECT_FALSE(e.showings.empty()) << e.name;
  }
}

TEST(expectations, are_met_by_what_they_say) {
  verdict all_right;
  verdict unfinished;
  unfinished.outcome = checker::outcome::limit;
  verdict race;
  race.outcome = checker::outcome::violation;
  race.kind = violation::race;
  race.message = "a read of x";
  EXPECT_TRUE(right(3).met_by(all_right));
  EXPECT_FALSE(right(3).met_by(race));
  EXPECT_FALSE(right(3).met_by(unfinished)) << "a limit is never right";
  EXPECT_TRUE(wrong(violation::race, "read").met_by(race));
  EXPECT_FALSE(wrong(violation::race, "write").met_by(race));
  EXPECT_FALSE(wrong(violation::assertion, "read").met_by(race));
  EXPECT_FALSE(wrong(violation::race, "read").met_by(all_right));
}

}  // namespace
}  // namespace licit::models::gallery

/// models/gallery/README.md says what is hung.

namespace licit::models::gallery {
namespace {

std::string readme() {
  std::ifstream in(std::string(LICIT_GALLERY) + "/README.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The rows that the text does not have, and one for each row of an exhibit that it has too many.
std::vector<std::string> stale(const std::string& text) {
  std::vector<std::string> wrong;
  std::size_t rows = 0;
  for (std::size_t at = text.find("## The exhibits"); (at = text.find("\n| `", at)) != std::string::npos; ++at) ++rows;
  for (const exhibit& e : exhibits()) {
    const std::string row = readme_row(e);
    if (text.find("\n" + row + "\n") == std::string::npos) wrong.push_back(row);
  }
  for (std::size_t i = exhibits().size(); i < rows; ++i) wrong.emplace_back("a row without an exhibit");
  return wrong;
}

TEST(readme, has_a_row_for_each_exhibit) {
  for (const std::string& row : stale(readme())) ADD_FAILURE() << "models/gallery/README.md should say:\n" << row;
}

TEST(readme, that_says_something_else_is_stale) {
  std::string text = readme();
  const std::size_t verdict = text.find(" ok: ");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_EQ(stale(text.replace(verdict, 4, " wrong:")).size(), 1U);
  EXPECT_EQ(stale(readme() + "\n| `nobody` | | | |\n").size(), 1U);
  EXPECT_EQ(stale("").size(), exhibits().size());
}

}  // namespace
}  // namespace licit::models::gallery
