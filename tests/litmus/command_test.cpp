/// `licit litmus`, from its options to its exit status.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/arguments.hpp"

namespace licit::litmus_test {
namespace {

namespace fs = std::filesystem;

class command : public testing::Test {
 protected:
  /// Of every row, whatever came of its file; nlohmann's plain objects have them in alphabetical order.
  static inline const std::vector<std::string> all_keys{"blocked",   "executions", "file",       "holds",
                                                        "message",   "program",    "quantifier", "race",
                                                        "reachable", "states",     "verdict"};
  static std::vector<std::string> keys(const nlohmann::json& row) {
    std::vector<std::string> found;
    for (const auto& [key, value] : row.items()) found.push_back(key);
    return found;
  }

  command() : folder_{fs::temp_directory_path() / ("licit_litmus_" + std::to_string(::getpid()))} {
    fs::create_directories(folder_ / "deeper");
  }
  ~command() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  int run(tool::litmus_options options = {}) {
    if (options.paths.empty()) options.paths = {folder_.string()};
    options.json = (folder_ / "out.json").string();
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = tool::litmus(options);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    std::ifstream in(options.json);
    rows_ = nlohmann::json::parse(in);
    for (const nlohmann::json& row : rows_) EXPECT_EQ(keys(row), all_keys);
    return status;
  }

  fs::path folder_;
  std::string out_;
  std::string err_;
  nlohmann::json rows_;
};

const std::string program =
    "C SB\n{}\nP0 (atomic_int* x, atomic_int* y) { atomic_store_explicit(x, 1, memory_order_relaxed); int r0 = "
    "atomic_load_explicit(y, memory_order_relaxed); }\nP1 (atomic_int* x, atomic_int* y) { atomic_store_explicit(y, 1, "
    "memory_order_relaxed); int r0 = atomic_load_explicit(x, memory_order_relaxed); }\n";
const std::string both = " (0:r0=0 /\\ 1:r0=0)\n";

TEST_F(command, prints_states_and_writes_rows) {
  write("SB.litmus", program + "exists" + both);
  EXPECT_EQ(run(), 0);
  EXPECT_NE(out_.find("States 4\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("1 *> 0:r0=0; 1:r0=0; \n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("Condition exists: reached, holds\n"), std::string::npos) << out_;
  EXPECT_NE(out_.find("\n1 test: 1 as expected, 0 not"), std::string::npos) << out_;
  ASSERT_EQ(rows_.size(), 1U);
  EXPECT_EQ(rows_[0]["file"], (folder_ / "SB.litmus").string());
  EXPECT_EQ(rows_[0]["program"], "SB");
  EXPECT_EQ(rows_[0]["quantifier"], "exists");
  EXPECT_EQ(rows_[0]["reachable"], true);
  EXPECT_EQ(rows_[0]["executions"], 4);
  EXPECT_EQ(rows_[0]["blocked"], 0);
  EXPECT_EQ(rows_[0]["race"], false);
  EXPECT_EQ(rows_[0]["states"].size(), 4U);
  EXPECT_EQ(rows_[0]["states"][0]["state"]["1:r0"], 0);
  EXPECT_EQ(rows_[0]["states"][0]["executions"], 1);
}

TEST_F(command, a_malformed_file_is_named_and_the_others_run) {
  write("a.litmus", "C a\n{}\nP0 (atomic_int* x) { x = 1; }\nexists (x=1)");
  write("deeper/b.litmus", program + "exists" + both);
  write("not_a_test.txt", "hello");
  EXPECT_EQ(run(), 2);
  EXPECT_EQ(err_, (folder_ / "a.litmus").string() +
                      ":3:22: expected a value but 'x' is a pointer: write *x or an atomic function\n");
  ASSERT_EQ(rows_.size(), 2U);
  EXPECT_TRUE(rows_[0]["executions"].is_null());
  EXPECT_EQ(rows_[1]["executions"], 4);
}

TEST_F(command, status_says_whether_a_claim_or_an_expectation_failed) {
  write("t.litmus", program + "~exists" + both);
  EXPECT_EQ(run(), 1);
  EXPECT_NE(out_.find("NOT AS EXPECTED\n"), std::string::npos);
  write("t.litmus", program + "forall" + both);
  EXPECT_EQ(run(), 1);
  write("t.litmus", "(* expect: allowed 4 *)" + program + "~exists" + both);
  EXPECT_EQ(run(), 0);
  write("t.litmus", "(* expect: allowed 3 *)" + program + "exists" + both);
  EXPECT_EQ(run(), 1);
  EXPECT_NE(out_.find("NOT AS EXPECTED: expected is allowed, 3 executions, 0 blocked, no race\n"), std::string::npos)
      << out_;
  write("t.litmus", "(* expect: allowed 4 race *)" + program + "exists" + both);
  EXPECT_EQ(run(), 1);
}

TEST_F(command, a_limit_is_a_status_of_its_own) {
  write("t.litmus", program + "exists" + both);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 2}}), 3);
  EXPECT_TRUE(rows_[0]["executions"].is_null());
  EXPECT_TRUE(rows_[0]["states"].is_null());
  EXPECT_EQ(rows_[0]["reachable"], true);
  EXPECT_EQ(rows_[0]["holds"], true);
}

TEST_F(command, what_a_limit_left_open_is_not_concluded) {
  write("t.litmus", program + "~exists" + both);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 1}}), 3);
  EXPECT_NE(out_.find("~exists: not reached so far, not known beyond the limit of executions (--limit)\n"),
            std::string::npos)
      << out_;
  EXPECT_TRUE(rows_[0]["holds"].is_null());
  EXPECT_TRUE(rows_[0]["race"].is_null());
  EXPECT_EQ(rows_[0]["verdict"], "limit");
  write("t.litmus", "(* expect: forbidden 9 *)" + program + "forall (0:r0=0)");
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 1}}), 1) << "reached already";
  write("t.litmus", program + "forall (0:r0=0)");
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 1}}), 3);
  EXPECT_NE(out_.find("forall: reached, not known beyond the limit"), std::string::npos) << out_;
  EXPECT_TRUE(rows_[0]["holds"].is_null());
  EXPECT_EQ(rows_[0]["reachable"], true);
}

TEST_F(command, what_a_search_has_shown_before_its_limit_stays) {
  write("t.litmus", program + "~exists" + both);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 3}}), 1);
  EXPECT_NE(out_.find("~exists: reached, does not hold\n"), std::string::npos) << out_;
  EXPECT_EQ(rows_[0]["holds"], false);
  EXPECT_EQ(rows_[0]["verdict"], "violation");
  write("t.litmus", "(* expect: allowed 2 *)" + program + "exists" + both);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 3}}), 1) << "more than two already";
  write("t.litmus", "(* expect: allowed 4 *)" + program + "exists" + both);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.max_executions = 3}}), 3);
}

TEST_F(command, what_more_rounds_of_a_loop_could_show_is_not_concluded) {
  const std::string loop =
      "C t\n{}\nP0 (atomic_int* x) { int i = 0; while (i < 20) i++; atomic_store(x, i); }\n~exists (x=20)\n";
  write("t.litmus", loop);
  EXPECT_EQ(run(), 3);
  EXPECT_NE(out_.find("~exists: not reached so far, not known beyond 8 rounds of a loop (--unroll)\n"),
            std::string::npos)
      << out_;
  EXPECT_NE(out_.find("1 test: 0 as expected, 0 not, 0 unreadable or malformed, 1 not known\n"), std::string::npos);
  EXPECT_TRUE(rows_[0]["holds"].is_null());
  EXPECT_TRUE(rows_[0]["reachable"].is_null());
  EXPECT_TRUE(rows_[0]["race"].is_null());
  EXPECT_EQ(rows_[0]["verdict"], "limit");
  EXPECT_EQ(rows_[0]["message"], "not known beyond 8 rounds of a loop (--unroll)");
  EXPECT_EQ(rows_[0]["blocked"], 1);
  EXPECT_EQ(run({.paths = {}, .json = {}, .search = {.unroll = 20}}), 1);
  EXPECT_EQ(rows_[0]["holds"], false);
  write("t.litmus", "(* expect: forbidden 0 blocked 1 *)" + loop);
  EXPECT_EQ(run(), 0) << "that is expected of eight rounds";
  EXPECT_TRUE(rows_[0]["holds"].is_null());
}

TEST_F(command, a_condition_that_holds_of_nothing_says_so) {
  write("t.litmus", "C t\n{}\nP0 (atomic_int* x) { while (atomic_load(x) == 0) {} }\nforall (x=1)\n");
  EXPECT_EQ(run(), 0);
  EXPECT_NE(out_.find("forall: not reached, holds, as there is no complete execution\n"), std::string::npos) << out_;
}

TEST_F(command, a_race_is_expected_or_not_as_expected) {
  for (const std::string quantifier : {"~exists", "exists", "forall ~"}) {
    const std::string racy =
        "C t\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r = *x; }\n" + quantifier + "(1:r=2)\n";
    write("t.litmus", racy);
    EXPECT_EQ(run(), 1) << quantifier;
    EXPECT_NE(out_.find("Race: P0 and P1 on x\n"), std::string::npos) << out_;
    EXPECT_NE(out_.find("NOT AS EXPECTED: a race, so that the program has no meaning in C\n"), std::string::npos);
    EXPECT_EQ(rows_[0]["verdict"], "violation");
    EXPECT_EQ(rows_[0]["race"], true);
    write("t.litmus",
          std::string("(* expect: ") + (quantifier == "forall ~" ? "allowed" : "forbidden") + " 2 race *)" + racy);
    EXPECT_EQ(run(), 0) << quantifier;
    EXPECT_EQ(rows_[0]["verdict"], "ok");
  }
}

TEST_F(command, a_file_that_is_not_there) {
  EXPECT_EQ(run({.paths = {(folder_ / "none.litmus").string()}, .json = {}, .search = {}}), 2);
  EXPECT_NE(err_.find("none.litmus: cannot read: No such file or directory"), std::string::npos) << err_;
  EXPECT_ANY_THROW(tool::litmus({.paths = {(folder_ / "deeper").string()}, .json = {}, .search = {}}));
}

}  // namespace
}  // namespace licit::litmus_test
