/// Every file of the corpus says what comes of it; the checker finds that, and the oracle agrees where it can be asked.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "checker/litmus/explore.hpp"
#include "checker/litmus/parser.hpp"
#include "oracle.hpp"
#include "straight.hpp"

namespace licit::litmus_test {
namespace {

struct entry {
  std::string file;  ///< its own name
  litmus::test test;
};

const std::vector<entry>& corpus() {
  static const std::vector<entry> all = [] {
    std::vector<entry> found;
    for (const auto& e : std::filesystem::directory_iterator(LICIT_LITMUS_CORPUS)) {
      std::ifstream in(e.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      for (litmus::test& one : litmus::parse_all(text)) found.push_back({one.name, std::move(one)});
    }
    return found;
  }();
  return all;
}

TEST(corpus, is_large_and_no_name_stands_twice) {
  EXPECT_GE(corpus().size(), 154U);
  std::map<std::string, unsigned> count;
  for (const entry& e : corpus()) EXPECT_EQ(++count[e.file], 1U) << e.file;
  for (const entry& e : corpus()) {
    EXPECT_FALSE(e.test.description.empty()) << e.file;
    EXPECT_TRUE(e.test.expected) << e.file;
  }
}

TEST(corpus, comes_out_as_each_file_expects) {
  for (const entry& e : corpus()) {
    const litmus::verdict got = litmus::explore(e.test);
    EXPECT_TRUE(got.message.empty()) << e.file << ": " << got.message;
    EXPECT_TRUE(e.test.expected && got.as(*e.test.expected))
        << e.file << ": " << (got.reachable() ? "allowed " : "forbidden ") << got.executions << " blocked "
        << got.blocked << " race: " << got.race;
  }
}

TEST(corpus, has_the_executions_that_the_oracle_counts) {
  unsigned counted = 0;
  unsigned racy = 0;
  for (const entry& e : corpus()) {
    const auto program = straight(e.test);
    if (!program || e.test.filter) continue;
    const checker_test::answer oracle = checker_test::ask(*program, checker_test::sequences::cxx20);
    EXPECT_EQ(e.test.expected->race, oracle.racy) << e.file;
    EXPECT_EQ(e.test.expected->executions, oracle.complete) << e.file;
    if (!oracle.racy) {
      EXPECT_EQ(oracle.complete, oracle.executions.size()) << e.file;
    }
    ++counted;
    racy += oracle.racy ? 1 : 0;
  }
  EXPECT_GE(counted, 125U);
  EXPECT_GE(racy, 5U);
  std::printf("%u of %zu tests counted by the oracle, %u of them race\n", counted, corpus().size(), racy);
}

/// Counts that are known from elsewhere: herd's and another checker's.
TEST(corpus, has_the_known_counts) {
  const std::map<std::string, std::uint64_t> known{
      {"SB", 4},          {"SB+fence-sc", 3}, {"MP", 4},       {"MP+rel+acq", 3}, {"LB", 3},       {"WRC", 8},
      {"WRC+rel+acq", 7}, {"IRIW", 16},       {"IRIW+sc", 15}, {"RMW+add2", 2},   {"RMW+add3", 6}, {"RMW+add4", 24}};
  for (const auto& [name, executions] : known) {
    const auto e = std::find_if(corpus().begin(), corpus().end(), [&](const entry& c) { return c.test.name == name; });
    ASSERT_NE(e, corpus().end()) << name;
    EXPECT_EQ(litmus::explore(e->test).executions, executions) << name;
  }
}

TEST(corpus, knows_the_release_sequences_of_cxx11) {
  const auto e =
      std::find_if(corpus().begin(), corpus().end(), [](const entry& c) { return c.test.name == "relseq+store"; });
  ASSERT_NE(e, corpus().end());
  EXPECT_TRUE(litmus::explore(e->test).reachable());
  EXPECT_FALSE(litmus::explore(e->test, {.sequences = checker::release_sequences::cxx11}).reachable());
}

}  // namespace
}  // namespace licit::litmus_test
