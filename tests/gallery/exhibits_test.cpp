/// Every exhibit has its verdict, under both rules of release sequences, and the right ones their exact counts.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gallery/gallery.hpp"
#include "tool/arguments.hpp"
#include "tool/report.hpp"

namespace licit::models::gallery {

void PrintTo(const exhibit& e, std::ostream* out) { *out << e.name; }

namespace {

using checker::release_sequences;
using checker::verdict;
using checker::violation;

constexpr std::uint64_t limit = 10'000'000;

/// The rounds of a loop are told apart by the stack, so that their number depends on the compiler: expected are g++'s.
#ifdef __clang__
constexpr bool rounds_are_expected = false;
#else
constexpr bool rounds_are_expected = true;
#endif

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
        EXPECT_GE(v.executions, e.loops && !rounds_are_expected ? e.executions / 2 : e.executions) << what;
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

/// `licit gallery`: its exit status, its table, its JSON.
namespace licit::tool {
namespace {

using models::gallery::exhibit;
using models::gallery::exhibits;
using models::gallery::right;
using tool::as_expected;
using tool::undecided;
using tool::violated;

const exhibit& named(std::string_view name) {
  for (const exhibit& e : exhibits()) {
    if (e.name == name) return e;
  }
  throw std::invalid_argument("no such exhibit");
}

struct finished {
  int status;
  std::string output;
};

finished show(const gallery_options& options, std::span<const exhibit> shown = exhibits()) {
  testing::internal::CaptureStdout();
  const int status = gallery(options, shown);
  return {status, testing::internal::GetCapturedStdout()};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(gallery, is_as_expected) {
  const finished f = show({.names = {"push-store", "push-fence"}, .json = {}});
  EXPECT_EQ(f.status, as_expected) << f.output;
  EXPECT_TRUE(contains(f.output, "12 rows, all as expected")) << f.output;
  EXPECT_TRUE(contains(f.output, "pop.reserve")) << "the execution, by site: " << f.output;
}

TEST(gallery, says_what_is_not_as_expected) {
  std::vector<exhibit> forged{named("push-store")};
  forged[0].showings.resize(1);
  forged[0].showings[0].cxx20 = right(8);
  const finished f = show({}, forged);
  EXPECT_EQ(f.status, violated) << f.output;
  EXPECT_TRUE(contains(f.output, "data race  NOT AS EXPECTED (ok)")) << f.output;
  EXPECT_TRUE(contains(f.output, "2 rows, 1 NOT as expected")) << f.output;
  EXPECT_TRUE(contains(f.output, "pop.reserve")) << "a surprise is shown in full: " << f.output;
}

TEST(gallery, does_not_take_what_was_cut_short_for_right) {
  const finished f = show({.names = {"push-fence"}, .json = {}, .limit = 5});
  EXPECT_EQ(f.status, undecided) << f.output;
  EXPECT_TRUE(contains(f.output, "limit  NOT AS EXPECTED (ok)")) << f.output;
}

TEST(gallery, writes_what_it_printed) {
  const auto file = std::filesystem::path(testing::TempDir()) / "gallery.json";
  ASSERT_EQ(show({.names = {"push-store"}, .json = file.string()}).status, as_expected);
  std::ifstream in(file);
  const auto rows = nlohmann::json::parse(in);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0]["exhibit"], "push-store");
  EXPECT_EQ(rows[0]["program"], "push push pop | steal");
  EXPECT_EQ(rows[0]["release_sequences"], "c++20");
  EXPECT_EQ(rows[0]["kind"], "data race");
  EXPECT_TRUE(contains(rows[0]["trace"], "steal.bottom"));
  EXPECT_EQ(rows[1]["release_sequences"], "c++11");
  EXPECT_EQ(rows[1]["verdict"], "ok");
  EXPECT_EQ(rows[1]["executions"], 8);
  EXPECT_EQ(rows[1]["as_expected"], true);
}

TEST(gallery, names_a_file_that_cannot_be_written) {
  testing::internal::CaptureStdout();
  EXPECT_THROW(gallery({.names = {"push-store"}, .json = "/nonexistent/g.json"}), std::runtime_error);
  testing::internal::GetCapturedStdout();
}

TEST(gallery, lists_every_exhibit_with_its_source) {
  testing::internal::CaptureStdout();
  list_gallery();
  const std::string text = testing::internal::GetCapturedStdout();
  for (const exhibit& e : exhibits()) {
    EXPECT_TRUE(contains(text, std::string(e.name)) && contains(text, std::string(e.source))) << e.name;
    EXPECT_TRUE(contains(text, "models/gallery/" + std::string(e.file))) << e.name;
    EXPECT_TRUE(std::filesystem::exists(std::string(LICIT_GALLERY) + "/" + std::string(e.file))) << e.file;
  }
}

}  // namespace
}  // namespace licit::tool
