/// Every field of every command's JSON stands in models/README.md.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace {

using licit_test::finished;
using licit_test::licit;
using nlohmann::json;
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The keys of the value and of what is in it, but for objects whose keys are names of programs, sites or variables.
void collect(const json& value, std::set<std::string>& keys) {
  static const std::set<std::string> maps{"programs", "orders", "state", "execution", "minima"};
  if (value.is_array()) {
    for (const json& each : value) collect(each, keys);
  }
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) {
    keys.insert(key);
    if (!maps.contains(key)) collect(inner, keys);
  }
}

/// Those that the section about JSON of models/README.md does not have in backquotes.
std::set<std::string> unexplained(const json& value) {
  static const std::string text = text_of(std::string(LICIT_SOURCE) + "/models/README.md");
  const std::size_t begin = text.find("### Verdicts of licit verify");
  const std::string section = text.substr(begin, text.find("\n### ", begin + 4) - begin);
  std::set<std::string> keys;
  std::set<std::string> missing;
  collect(value, keys);
  for (const std::string& key : keys) {
    if (section.find("`" + key + "`") == std::string::npos) missing.insert(key);
  }
  return missing;
}

TEST(Names, ThatNobodyExplainsAreFound) {
  EXPECT_EQ(unexplained(json{{"verdict", "ok"}, {"outcome", "ok"}}), std::set<std::string>{"outcome"});
}

TEST(Names, OfEveryCommandAreExplained) {
  const fs::path file = fs::path(testing::TempDir()) / ("licit-names-" + std::to_string(::getpid()) + ".json");
  const fs::path test = fs::path(testing::TempDir()) / ("licit-names-" + std::to_string(::getpid()) + ".litmus");
  std::ofstream(test)
      << "C SB\n{}\nP0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\nexists (x=1)\n";
  for (const std::string& command : {
           std::string("verify --structure chase-lev --checker exhaustive --mutant 'pop.fence removed'"),
           std::string("verify --structure chase-lev --checker relacy --mutant 'pop.reserve relaxed' --iterations 10"),
           std::string("verify --structure chase-lev --checker exhaustive --program refill --shard 0/2"),
           std::string("verify --structure chase-lev --program two_items --break 'pop.fence removed'"),
           std::string("verify --structure chase-lev --every 2"),
           std::string("verify --structure chase-lev --every 2 --kill"),
           std::string("audit --structure lifo-slot --fresh --minima --quiet"),
           std::string("gallery push-store"),
           "litmus " + test.string(),
       }) {
    const finished f = licit(command + " --json " + file.string());
    const json all = json::parse(text_of(file));
    EXPECT_EQ(unexplained(all), std::set<std::string>{}) << command << "\n" << f.output;
    fs::remove(file);
  }
  fs::remove(test);
}

}  // namespace
