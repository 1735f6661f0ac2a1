// The command line of the stress executables.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/stress/options.hpp"

namespace {

licit::stress::options parsed(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& w : words) pointers.push_back(w.data());
  return licit::stress::parse(pointers);
}

std::string refused(const std::vector<std::string>& words) {
  try {
    parsed(words);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

TEST(StressOptions, AreRead) {
  const auto o = parsed({"--row", "pop.fence removed", "--executions", "12", "--seconds", "0.5", "--seeds", "3",
                         "--json", "file", "--machine", "a big one", "--list"});
  EXPECT_EQ(o.row, "pop.fence removed");
  EXPECT_EQ(o.executions, 12U);
  EXPECT_EQ(o.seconds, 0.5);
  EXPECT_EQ(o.seeds, 3U);
  EXPECT_EQ(o.json, "file");
  EXPECT_EQ(o.machine, "a big one");
  EXPECT_TRUE(o.list);
}

TEST(StressOptions, AreRefusedInWords) {
  EXPECT_EQ(refused({"--rows", "x"}), "there is no option --rows");
  EXPECT_EQ(refused({"--row"}), "--row has no value");
  EXPECT_EQ(refused({"--executions", "many"}), "--executions: not a number: many");
  EXPECT_EQ(refused({"--seconds", "-1"}), "--seconds: not a number: -1");
}

}  // namespace
