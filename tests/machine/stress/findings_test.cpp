/// The JSON of the stress executables, as others read it.
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/stress/options.hpp"
#include "machine/stress/watch.hpp"

namespace {

using licit::stress::found_by;
using licit::stress::json_of;
using nlohmann::json;

const found_by lost{"unpark.swap relaxed", "token", 7, {77, 0.5, true, "check", "one \"token\"\nlost \\"}};
const found_by nothing{"unpark.swap relaxed", "twice", 7, {100, 1, false, "", ""}};

TEST(Findings, AreJson) {
  const json j = json::parse(json_of("parker", "", {lost, nothing}));
  EXPECT_FALSE(j.contains("machine"));
  ASSERT_EQ(j["results"].size(), 2U);
  const json& first = j["results"][0];
  EXPECT_EQ(first["structure"], "parker");
  EXPECT_EQ(first["row"], "unpark.swap relaxed");
  EXPECT_EQ(first["program"], "token");
  EXPECT_EQ(first["seed"], 7);
  EXPECT_EQ(first["executions"], 77);
  EXPECT_EQ(first["seconds"], 0.5);
  EXPECT_EQ(first["caught"], true);
  EXPECT_EQ(first["kind"], "check");
  EXPECT_EQ(first["what"], "one \"token\" lost \\");
  EXPECT_EQ(j["results"][1]["caught"], false);
}

TEST(Findings, SayOnWhatMachine) {
  const json j = json::parse(json_of("parker", "Model \"A\", 4 processors", {lost}));
  EXPECT_EQ(j["machine"], "Model \"A\", 4 processors");
  EXPECT_EQ(j["results"].size(), 1U);
}

TEST(Findings, MayBeNone) {
  EXPECT_TRUE(json::parse(json_of("parker", "", {}))["results"].empty());
  EXPECT_TRUE(json::parse(json_of("parker", "any", {}))["results"].empty());
}

}  // namespace

// The command line of the stress executables.

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
