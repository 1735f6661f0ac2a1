/// What is read from the stress executables' JSON.
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "matrix/stress_results.hpp"

namespace {

using licit::matrix::cell;
using licit::matrix::finding;
using licit::matrix::read_stress;

std::string result(const std::string& program, int seed, int executions, bool caught) {
  return R"({"structure": "deque", "row": "a relaxed", "program": ")" + program + R"(", "seed": )" +
         std::to_string(seed) + R"(, "executions": )" + std::to_string(executions) + R"(, "seconds": 0.5, "caught": )" +
         (caught ? "true" : "false") + R"(, "what": ")" + (caught ? "hang" : "") + R"("})";
}

cell read(const std::string& results) {
  return read_stress("{\"results\": [" + results + "]}", "deque", "a relaxed", "it");
}

TEST(Stress, ASeedsProgramsCountOneAfterAnother) {
  const cell c =
      read(result("one", 1, 100, false) + "," + result("one", 2, 100, false) + "," + result("two", 1, 30, true) + "," +
           result("two", 2, 100, false) + "," + result("three", 1, 1, true));
  EXPECT_EQ(c.found, finding::caught);
  EXPECT_EQ(c.executions, 130U);
  EXPECT_EQ(c.seeds, 2U);
  EXPECT_EQ(c.caught_by, 1U);
  EXPECT_EQ(c.program, "two");
  EXPECT_EQ(c.what, "hang");
  EXPECT_DOUBLE_EQ(c.seconds, 2.5);
}

TEST(Stress, WhatIsNotCaughtIsNot) {
  const cell c = read(result("one", 1, 100, false) + "," + result("two", 1, 50, false));
  EXPECT_EQ(c.found, finding::not_caught);
  EXPECT_EQ(c.executions, 150U);
}

TEST(Stress, OtherRowsDoNotCount) {
  const std::string all = "{\"results\": [" + result("one", 1, 100, true) + "]}";
  EXPECT_EQ(read_stress(all, "deque", "b relaxed", "it").found, finding::not_run);
  EXPECT_EQ(read_stress(all, "queue", "a relaxed", "it").found, finding::not_run);
}

TEST(Stress, SaysOnWhatMachineIfItKnows) {
  using licit::matrix::read_machine;
  EXPECT_EQ(read_machine(R"({"machine": "a big one", "results": []})"), "a big one");
  for (const char* none : {R"({"results": []})", R"({"machine": 7})", "[]", "{", ""}) EXPECT_EQ(read_machine(none), "");
}

TEST(Stress, WhatCannotBeReadIsNamed) {
  EXPECT_THROW(read_stress("{\"results\": [", "deque", "a relaxed", "it"), std::runtime_error);
  try {
    read(R"({"structure": "deque", "row": "a relaxed"})");
    FAIL() << "fields are missing";
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("it: "), std::string::npos) << e.what();
  }
}

}  // namespace
