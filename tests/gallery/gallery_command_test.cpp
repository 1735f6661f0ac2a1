/// `licit gallery`: its exit status, its table, its JSON.
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/gallery.hpp"
#include "tool/report.hpp"

namespace licit::tool {
namespace {

using models::gallery::exhibit;
using models::gallery::exhibits;
using models::gallery::right;
using tool::as_expected;
using tool::out_of_limit;
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
  EXPECT_EQ(f.status, out_of_limit) << f.output;
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
