/// models/gallery/README.md says what is hung.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gallery/gallery.hpp"

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
