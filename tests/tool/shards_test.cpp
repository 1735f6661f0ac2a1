/// `licit verify --jobs`, `licit verify --shard` and `licit merge`.
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace {

namespace fs = std::filesystem;
using licit_test::contains;
using licit_test::finished;
using licit_test::licit;
using nlohmann::json;

class Shards : public testing::Test {
 protected:
  Shards() : folder_{fs::temp_directory_path() / ("licit_shards_" + std::to_string(::getpid()))} {
    fs::create_directories(folder_);
  }
  ~Shards() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  [[nodiscard]] json rows(const std::string& name) const {
    std::ifstream in(path(name));
    return json::parse(in);
  }
  void write(const std::string& name, const json& rows) const { std::ofstream(path(name)) << rows.dump(2); }

  /// Runs the programs, and gives back the rows without their times.
  [[nodiscard]] json verdicts(const std::string& arguments, int status = 0) const {
    const finished f = licit("verify --structure chase-lev --checker exhaustive --release-sequences c++20 c++11 " +
                             arguments + " --json " + path("verdicts.json"));
    EXPECT_EQ(f.status, status) << f.output;
    return timeless(rows("verdicts.json"));
  }
  static json timeless(json all) {
    for (json& row : all) row.erase("seconds");
    return all;
  }

  /// Makes a file for each shard; the arguments of `merge` that name them.
  [[nodiscard]] std::string explore(const std::string& arguments, unsigned count, int status = 0) const {
    std::string files;
    for (unsigned i = 0; i != count; ++i) {
      const std::string file = path(std::to_string(i) + ".json");
      const finished f = licit("verify --structure chase-lev --checker exhaustive " + arguments + " --shard " +
                               std::to_string(i) + "/" + std::to_string(count) + " --json " + file);
      EXPECT_TRUE(f.status == 0 || f.status == status) << f.output;
      files += " " + file;
    }
    return files;
  }

  void expect_refused(const std::string& files, const std::string& reason) const {
    const finished f = licit("merge " + files);
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, reason)) << f.output << "\nshould have said\n" << reason;
  }

  fs::path folder_;
};

const std::string three = "--program two_thieves lap_two_thieves refill ";

TEST_F(Shards, ProcessesHaveTheRowsOfOne) {
  const json one = verdicts(three);
  ASSERT_EQ(one.size(), 6U);
  EXPECT_EQ(one[2]["executions"], 16789);
  EXPECT_EQ(verdicts(three + "--jobs 2"), one);
  EXPECT_EQ(verdicts(three + "--jobs 5"), one);
}

TEST_F(Shards, ProcessesCatchAMutant) {
  for (const char* mutant : {"steal.fence removed", "growth forgets an item"}) {
    for (const char* jobs : {"1", "3"}) {
      const json got =
          verdicts("--program growth_two_thieves --jobs " + std::string(jobs) + " --break '" + mutant + "'", 1);
      EXPECT_EQ(got[0]["verdict"], "violation") << mutant << jobs;
      EXPECT_EQ(got[0]["break"], mutant);
    }
  }
}

TEST_F(Shards, ProcessesHoldToTheLimit) {
  const json got = verdicts("--program lap_two_thieves --limit 30000 --jobs 2", 3);
  EXPECT_EQ(got[0]["verdict"], "limit");
  EXPECT_EQ(got[0]["executions"], 30000);
}

TEST_F(Shards, AddUpToTheWhole) {
  const json whole = verdicts(three);
  for (const unsigned count : {2U, 5U}) {
    const finished f = licit("merge" + explore(three, count) + " --json " + path("merged.json"));
    EXPECT_EQ(f.status, 0) << f.output;
    EXPECT_TRUE(contains(f.output, "6 rows, added up from " + std::to_string(count) + " files: all as expected"))
        << f.output;
    EXPECT_EQ(timeless(rows("merged.json")), whole);
  }
}

TEST_F(Shards, AddUpWithEqualThreads) {
  const std::string symmetric = "--program two_thieves --symmetric ";
  const json whole = verdicts(symmetric);
  EXPECT_EQ(whole[0]["represented"], 16789);
  EXPECT_EQ(verdicts(symmetric + "--jobs 2"), whole);
  EXPECT_EQ(licit("merge" + explore(symmetric, 3) + " --json " + path("merged.json")).status, 0);
  EXPECT_EQ(timeless(rows("merged.json")), whole);
}

TEST_F(Shards, ThatAreMoreThanThePieces) {
  const finished f = licit("merge" + explore("--program last_item", 20) + " --json " + path("merged.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_EQ(rows("merged.json")[0]["executions"], 8);
}

TEST_F(Shards, OneAloneIsTheWhole) {
  const finished f = licit("merge" + explore("--program last_item", 1) + " --json " + path("merged.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "2 rows, added up from 1 file: all as expected")) << f.output;
  EXPECT_EQ(rows("merged.json")[0]["executions"], 8);
  EXPECT_EQ(licit("merge" + explore("--program overwrite --break 'push.room relaxed'", 1, 1)).status, 1);
}

TEST_F(Shards, AreNotTakenForTheWhole) {
  const finished f = licit(
      "verify --structure chase-lev --checker exhaustive --program two_thieves --shard 1/2 --json " + path("1.json"));
  EXPECT_TRUE(contains(f.output, "shard 1/2")) << f.output;
  EXPECT_TRUE(contains(f.output, "This is shard 1/2 alone: `licit merge` adds the shards up")) << f.output;
  EXPECT_FALSE(contains(f.output, "two_thieves            exhaustive")) << f.output;
  EXPECT_EQ(rows("1.json")[0]["mode"], "shard");
}

TEST_F(Shards, OfTwoLinesDoNotAddUp) {
  EXPECT_EQ(licit("merge" + explore("--client 'push pop | steal'", 2)).status, 0);
  const finished f =
      licit("verify --structure chase-lev --checker exhaustive --client 'push | steal' --shard 1/2 --json " +
            path("other.json"));
  ASSERT_EQ(f.status, 0) << f.output;
  expect_refused(path("0.json") + " " + path("other.json"), "own \"push pop | steal\"");
}

TEST_F(Shards, AViolationInOneIsTheWholes) {
  const std::string files = explore("--program growth_two_thieves --break 'growth forgets an item'", 4, 1);
  const finished f = licit("merge" + files + " --json " + path("merged.json"));
  EXPECT_EQ(f.status, 1) << f.output;
  const json merged = rows("merged.json");
  EXPECT_EQ(merged[0]["verdict"], "violation");
  EXPECT_EQ(merged[0]["break"], "growth forgets an item");
  EXPECT_TRUE(contains(merged[0]["message"], "shard ")) << merged[0];
}

TEST_F(Shards, ALimitInOneIsTheWholes) {
  const finished f = licit("merge" + explore("--program two_thieves --limit 8000", 2, 3));
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(contains(f.output, "stopped after 8000 executions")) << f.output;
}

TEST_F(Shards, BadUsageIsNamed) {
  const std::string command = "verify --structure chase-lev --checker exhaustive --program refill --shard ";
  for (const auto& [shard, message] :
       std::initializer_list<std::pair<const char*, const char*>>{{"9/8", "--shard: 9/8: i is 0 to 7"},
                                                                  {"8/8", "--shard: 8/8: i is 0 to 7"},
                                                                  {"0/0", "--shard: 0/0: n is 1 to 100000"},
                                                                  {"0/100001", "n is 1 to 100000"},
                                                                  {"3", "--shard: '3': write i/n, as in 0/8"},
                                                                  {"-1/8", "write i/n"},
                                                                  {"1/8x", "write i/n"},
                                                                  {"/", "write i/n"},
                                                                  {"99999999999/8", "write i/n"}}) {
    const finished f = licit(command + shard);
    EXPECT_EQ(f.status, 2) << shard;
    EXPECT_TRUE(contains(f.output, message)) << shard << ": " << f.output;
  }
  for (const auto& [arguments, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"verify --shard 0/8", "--shard needs --checker exhaustive"},
           {"verify --structure chase-lev --checker relacy --shard 0/8", "--shard needs --checker exhaustive"},
           {"verify --structure chase-lev --checker exhaustive --shard 0/8 --mutant 'pop.fence removed'", "--shard"},
           {"verify --jobs 0", "--jobs: Value 0 not in range 1 to 1024"},
           {"merge", "files is required"}}) {
    const finished f = licit(arguments);
    EXPECT_EQ(f.status, 2) << arguments;
    EXPECT_TRUE(contains(f.output, message)) << arguments << ": " << f.output;
  }
}

TEST_F(Shards, ASetThatIsNotWholeIsRefused) {
  (void)explore("--program refill two_thieves", 4);
  expect_refused(path("0.json") + " " + path("3.json"),
                 "no file has shard 1, 2 of 4 of refill of chase-lev (exhaustive, none, c++20)");
  expect_refused(path("0.json") + " " + path("1.json") + " " + path("1.json"),
                 "1.json: row 1 is of shard 1/4, which is in " + path("1.json") + " already");
}

/// Of two shards the second is changed in one way each time.
class Forged : public Shards {
 protected:
  Forged() { (void)explore("--program refill two_thieves", 2); }

  void expect_refused_when(const std::function<void(json&)>& change, const std::string& reason) const {
    json forged = rows("1.json");
    change(forged);
    write("forged.json", forged);
    expect_refused(path("0.json") + " " + path("forged.json"), path("forged.json") + reason);
  }
};

TEST_F(Forged, UnchangedTheyAddUp) {
  write("same.json", rows("1.json"));
  EXPECT_EQ(licit("merge " + path("0.json") + " " + path("same.json")).status, 0);
}

TEST_F(Forged, WhatIsOfAnotherSearchIsRefused) {
  const std::string first = ", where " + path("0.json") + " has ";
  expect_refused_when([](json& r) { r[2]["program"] = "growth"; },
                      ": row 3 is of program growth of chase-lev (exhaustive, none, c++20)" + first +
                          "two_thieves of chase-lev (exhaustive");
  expect_refused_when([](json& r) { r[0]["bound"] = "none, c++11"; },
                      ": row 1 is of program refill of chase-lev (exhaustive, none, c++11)" + first);
  expect_refused_when(
      [](json& r) { r[0]["break"] = "pop.fence removed"; },
      ": row 1 is of program refill of chase-lev (exhaustive, none, c++20, broken by 'pop.fence removed')" + first);
  expect_refused_when([](json& r) { r[0]["build"] = "0"; }, ": row 1 is of licit's build 0" + first);
  expect_refused_when([](json& r) { r[1]["version"] = "9.9.9"; }, ": row 2 is of licit's version 9.9.9" + first);
  expect_refused_when([](json& r) { r[1]["limit"] = 5; }, ": row 2 is of limit 5" + first + "50000000");
  expect_refused_when([](json& r) { r[3]["shard"] = "1/3"; }, ": row 4 is of a number of shards of 3" + first + "2");
  expect_refused_when([](json& r) { r[3]["pieces"] = 7; }, ": row 4 is of a number of pieces of 7" + first);
  expect_refused_when([](json& r) { r[0]["expected"] = "violation"; },
                      ": row 1 is of expected verdict violation" + first + "ok");
  expect_refused_when([](json& r) { r.erase(3); }, " has 3 rows" + first + "4");
}

TEST_F(Forged, APieceThatNobodyExploredIsNoticed) {
  json forged = rows("1.json");
  const unsigned pieces = forged[2]["pieces"];
  forged[2]["explored"] = forged[2]["explored"].get<unsigned>() - 1;
  write("forged.json", forged);
  expect_refused(path("0.json") + " " + path("forged.json"),
                 "the shards of two_thieves of chase-lev (exhaustive, none, c++20) explored " +
                     std::to_string(pieces - 1) + " pieces of " + std::to_string(pieces));
}

TEST_F(Forged, WhatIsNoShardsResultIsRefused) {
  expect_refused_when([](json& r) { r[0]["mode"] = "exhaustive"; },
                      ": row 1 (refill) is of a whole search, not of a shard");
  expect_refused_when([](json& r) { r[0].erase("executions"); }, ": row 1 has no 'executions'");
  expect_refused_when([](json& r) { r[0]["executions"] = -1; }, ": row 1 needs a whole number as 'executions'");
  expect_refused_when([](json& r) { r[0]["seconds"] = "1"; }, ": row 1 needs a number as 'seconds'");
  expect_refused_when([](json& r) { r[1]["program"] = 1; }, ": row 2 needs a string as 'program'");
  expect_refused_when([](json& r) { r[1]["verdict"] = "fine"; }, ": row 2 needs a verdict as 'verdict', not 'fine'");
  expect_refused_when([](json& r) { r[1]["shard"] = "2/2"; }, ": row 2 has a shard 2/2: i is 0 to 1");
  expect_refused_when([](json& r) { r[1] = 7; }, ": row 2 is not an object");
  expect_refused_when([](json& r) { r = json::object(); }, ": is not an array of verdicts");
}

TEST_F(Forged, WhatIsNoJsonIsNamedWithThePlace) {
  std::ofstream(path("corrupt.json")) << "[\n  {\"program\": \"refill\",\n   oops";
  expect_refused(path("0.json") + " " + path("corrupt.json"),
                 path("corrupt.json") + ": parse error at line 3, column 4: ");
  expect_refused(path("none.json"), path("none.json") + ": cannot read: No such file or directory");
  std::ofstream(path("empty.json")) << "[]";
  expect_refused(path("empty.json"), path("empty.json") + ": has no rows");
}

}  // namespace
