/// The checker is for every program: none of its files includes a structure of this library, or names one.
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace licit::checker_test {
namespace {

namespace fs = std::filesystem;

/// What is wrong with the text of a file; empty if nothing is.
std::string dependence(const std::string& text) {
  static const std::regex include(R"(#include\s*[<"](licit/(?:deque|scheduler|suites)/[^>"]*|suites/[^>"]*)[>"])");
  for (std::sregex_iterator i(text.begin(), text.end(), include), end; i != end; ++i) {
    const std::string header = (*i)[1];
    if (header != "licit/deque/order.hpp" && header != "licit/deque/native.hpp") return "includes " + header;
  }
  static const std::regex name(
      R"(chase_lev|Chase-Lev|\btagged\b|split_orders|run_queue|idle_set|inject_queue|lifo_slot|\bparker\b|task_state)"
      R"(|task_registry|child_group|trace_ring|\bcensus\b|\bcrew\b|deque/README|scheduler/README)");
  std::smatch found;
  if (std::regex_search(text, found, name)) return "names " + found.str();
  return {};
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(independence, no_file_of_the_checker_knows_a_structure) {
  const fs::path checker = fs::path(LICIT_SOURCE) / "models" / "checker";
  unsigned files = 0;
  for (const fs::directory_entry& each : fs::recursive_directory_iterator(checker)) {
    const std::string extension = each.path().extension();
    if (extension != ".hpp" && extension != ".cpp" && extension != ".txt" && extension != ".md") continue;
    ++files;
    EXPECT_EQ(dependence(text_of(each.path())), "") << each.path();
  }
  EXPECT_GT(files, 60U);
}

TEST(independence, is_seen_to_be_missing) {
  EXPECT_EQ(dependence("#include <licit/deque/chase_lev_orders.hpp>\n"), "includes licit/deque/chase_lev_orders.hpp");
  EXPECT_EQ(dependence("#include \"suites/names.hpp\"\n"), "includes suites/names.hpp");
  EXPECT_EQ(dependence("see invariant I3 of deque/README.md"), "names deque/README");
  EXPECT_EQ(dependence("place_rules<tagged_orders>, of the tagged deque"), "names tagged");
  EXPECT_EQ(dependence("#include <licit/deque/order.hpp>\n#include <licit/deque/native.hpp>\n"), "");
}

}  // namespace
}  // namespace licit::checker_test
