/// Samples, traces and their replay, as users of the command run them.
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;
using nlohmann::ordered_json;

class Replay : public testing::Test {
 protected:
  const std::string file =
      std::filesystem::path(testing::TempDir()) / ("licit-trace-" + std::to_string(::getpid()) + ".json");

  ~Replay() override { std::filesystem::remove(file); }

  void record(const std::string& how) const {
    const finished f = licit("verify --quiet --trace " + file + " " + how);
    ASSERT_TRUE(contains(f.output, "licit replay " + file)) << f.output;
  }
  void spoil(const std::function<void(ordered_json&)>& how) const {
    ordered_json all = ordered_json::parse(std::ifstream(file));
    how(all);
    std::ofstream(file) << all.dump(1);
  }
  void expect_refused(const std::string& message) const {
    const finished f = licit("replay " + file);
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, message)) << f.output;
  }
};

constexpr const char* broken =
    "--structure chase-lev --checker exhaustive --program two_items --break 'steal.fence removed'";

TEST_F(Replay, AViolationIsStatusOneWithItsHistory) {
  record(broken);
  const finished f = licit("replay " + file);
  EXPECT_EQ(f.status, 1) << f.output;
  for (const char* part :
       {"two_items with 'steal.fence removed'", "found by: exhaustive", "replayed: ", "steal.claim"}) {
    EXPECT_TRUE(contains(f.output, part)) << part << "\n" << f.output;
  }
  EXPECT_FALSE(contains(f.output, "another violation")) << f.output;
}

TEST_F(Replay, GdbIsForProgramsOfLicitCheck) {
  record(broken);
  const finished f = licit("replay --gdb " + file);
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "--gdb: " + file + " is no file of `licit check`")) << f.output;
}

TEST_F(Replay, OfALineOfTheUsers) {
  record("--structure lifo-slot --checker exhaustive --client 'put | steal' --break 'put.store relaxed'");
  EXPECT_EQ(licit("replay " + file).status, 1);
  spoil([](ordered_json& all) { all["line"] = "put | stea"; });
  expect_refused("client \"put | stea\", column 7: no such word");
}

TEST_F(Replay, OfOneOfSeveralProcesses) {
  record(std::string(broken) + " --jobs 2");
  const finished f = licit("replay " + file);
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_FALSE(contains(f.output, "another violation")) << f.output;
}

TEST_F(Replay, UnderTheRuleThatItWasFoundUnder) {
  record(std::string(broken) + " --release-sequences c++11");
  const ordered_json all = ordered_json::parse(std::ifstream(file));
  EXPECT_EQ(all["options"]["release_sequences"], "c++11");
  EXPECT_EQ(licit("replay " + file).status, 1);
}

TEST_F(Replay, WithTheSameThreadStopped) {
  record(std::string(broken) + " --stall 0");
  const ordered_json all = ordered_json::parse(std::ifstream(file));
  EXPECT_EQ(all["options"]["stalled"]["thread"], 0);
  EXPECT_GT(all["options"]["stalled"]["after"], 0);
  EXPECT_EQ(licit("replay " + file).status, 1);
}

TEST_F(Replay, OfASampleNamesItsSeed) {
  record("--program two_items --break 'pop.reserve relaxed' --mode random --seed 7 --iterations 5000");
  const finished f = licit("replay " + file);
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "found by: 5000 random, seed 7, number ")) << f.output;
  EXPECT_TRUE(contains(f.output, "replayed: data race: ")) << f.output;
}

TEST_F(Replay, OfAMutantsRow) {
  record("--mutant 'steal.claim a blind store' --mode pct --depth 2 --iterations 5000");
  EXPECT_EQ(licit("replay " + file).status, 1);
}

TEST_F(Replay, OfACodeThatWasPutRightSaysWhatItDoesInstead) {
  record(broken);
  spoil([](ordered_json& all) { all.erase("mutant"); });
  expect_refused("the file is spoilt, or the program is no longer what was recorded");
}

TEST_F(Replay, OfWhatIsNoLongerWrongIsStatusZero) {
  record("--checker exhaustive --program refill --break 'pop.restore left out'");
  spoil([](ordered_json& all) {
    all.erase("mutant");
    all["steps"].erase(all["steps"].begin() + 5, all["steps"].end());
    all["length"] = 5;
  });
  const finished f = licit("replay " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "replayed: no violation")) << f.output;
}

TEST_F(Replay, ASpoiltFileIsRefusedWithItsPlace) {
  record(broken);
  const std::string whole{std::istreambuf_iterator<char>(std::ifstream(file).rdbuf()), {}};
  const auto again = [&] { std::ofstream(file) << whole; };

  std::ofstream(file) << whole.substr(0, whole.size() / 2);
  expect_refused("not JSON, at byte ");
  again();
  spoil([](ordered_json& all) { all["steps"][12]["site"] = "nowhere"; });
  expect_refused("step 12: ");
  again();
  spoil([](ordered_json& all) { all["steps"][7].erase("other"); });
  expect_refused("step 7: 'other' is missing");
  again();
  spoil([](ordered_json& all) { all["steps"][3]["event"] = "0.x"; });
  expect_refused("step 3, 'event': is '0.x', not an event");
  again();
  spoil([](ordered_json& all) { all["steps"].erase(9); });
  expect_refused("steps, and there were ");
  again();
  spoil([](ordered_json& all) {
    all["steps"].erase(9);
    all["length"] = all["steps"].size();
  });
  expect_refused("step 9: ");
  again();
  spoil([](ordered_json& all) {
    for (auto& step : all["steps"]) {
      if (step["action"] == "load") step["other"] = "0.999";
    }
  });
  expect_refused("cannot take 0.999");
  again();
  spoil([](ordered_json& all) { all["program"] = "nobody"; });
  expect_refused("chase-lev has no program 'nobody'");
  again();
  spoil([](ordered_json& all) { all["mutant"] = "nothing"; });
  expect_refused("there is no mutant 'nothing'");
  again();
  spoil([](ordered_json& all) { all["format"] = "another"; });
  expect_refused("is not 'licit trace 3'");
}

TEST_F(Replay, AFileThatIsNotThereIsNamed) {
  const finished f = licit("replay /nonexistent/trace.json");
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "/nonexistent/trace.json: cannot read: No such file or directory")) << f.output;
}

TEST_F(Replay, WithoutAViolationNothingIsWritten) {
  std::filesystem::remove(file);
  const finished f =
      licit("verify --quiet --structure chase-lev --program two_items --checker exhaustive --trace " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "is not written: no violation")) << f.output;
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Sample, RowsSayThatTheyAreSamples) {
  const finished f =
      licit("verify --quiet --structure chase-lev --program two_items --mode random --iterations 1234 --seed 5");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "sampled    1234 random, seed 5")) << f.output;
  EXPECT_TRUE(contains(
      licit("verify --quiet --structure chase-lev --program two_items --mode pct --iterations 99 --depth 2").output,
      "sampled    99 pct depth 2, seed 1"));
}

TEST(Sample, ALimitIsStatusThree) {
  const finished f =
      licit("verify --quiet --structure chase-lev --program two_items --mode random --iterations 1000 --limit 10");
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(contains(f.output, "stopped after 10 executions")) << f.output;
}

TEST(Sample, BadUsageNamesTheOption) {
  for (const char* arguments :
       {"--mode nobody", "--mode random --checker relacy", "--depth 3", "--seed 3", "--mode pct --depth 0",
        "--mode pct --depth 101", "--mode random --seed -1", "--mode random --stall 0", "--mode random --shard 0/2",
        "--mode random --release-sequences c++11"}) {
    const finished f = licit("verify --quiet --structure chase-lev --program two_items " + std::string(arguments));
    EXPECT_EQ(f.status, 2) << arguments << f.output;
    EXPECT_TRUE(contains(f.output, "--")) << f.output;
  }
}

}  // namespace
