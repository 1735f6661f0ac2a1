/// What is read from the stress executables' JSON.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "machine/codegen/process.hpp"
#include "machine/matrix/cell.hpp"
#include "machine/matrix/executable.hpp"
#include "machine/qemu/guest.hpp"

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

/// A stress executable that has the row, and does what the script says where it is to be run.
class stand_in {
 public:
  explicit stand_in(const std::string& script) {
    std::ofstream(file()) << "#!/bin/sh\n[ \"$1\" = --list ] && printf 'a relaxed\\tone\\n' && exit 0\n"
                          << script << '\n';
    std::filesystem::permissions(file(), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] cell run() const {
    return licit::matrix::stress({.file = file()}, {.structure = "deque", .name = "a relaxed"},
                                 licit::matrix::find_budget("ci"));
  }
  [[nodiscard]] bool fails_against_axioms() const {
    return licit::matrix::fails_against_axioms({.file = file()}, {.structure = "deque", .name = "a relaxed"},
                                               licit::matrix::find_budget("ci"), "");
  }

 private:
  [[nodiscard]] std::filesystem::path file() const { return room_ / "stand_in"; }
  licit::codegen::scratch room_;
};

/// Writes what would be caught, where it is told to.
const std::string writes_caught =
    R"(for last; do :; done; echo '{"results": [)" + result("one", 1, 7, true) + R"(]}' > "$last";)";

TEST(Stress, AStatusThatIsNoVerdictIsNotRun) {
  EXPECT_EQ(stand_in(writes_caught + " exit 1").run().found, finding::caught);
  for (const int status : {licit::qemu::gave_up, licit::qemu::forbidden, 2}) {
    const std::string ends = " echo \"licit's plugin: that is new to it\" >&2; exit " + std::to_string(status);
    const cell c = stand_in(writes_caught + ends).run();
    EXPECT_EQ(c.found, finding::not_run);
    EXPECT_NE(c.reason.find("that is new to it"), std::string::npos) << c.reason;
    EXPECT_NE(c.reason.find("status " + std::to_string(status)), std::string::npos) << c.reason;
  }
}

TEST(Stress, OnlyTheAxiomsWordIsTaken) {
  EXPECT_TRUE(stand_in("exit " + std::to_string(licit::qemu::forbidden)).fails_against_axioms());
  EXPECT_FALSE(stand_in("exit " + std::to_string(licit::qemu::gave_up)).fails_against_axioms());
  EXPECT_FALSE(stand_in(writes_caught + " exit 1").fails_against_axioms()) << "caught, and Armv8 allows it";
}

/// A qemu-aarch64 that is found before the real one, and does what the script says.
class emulator {
 public:
  explicit emulator(const std::string& script) : path_{std::getenv("PATH")} {
    std::ofstream(room_ / "qemu-aarch64") << "#!/bin/sh\nfor word; do [ \"$word\" = --version ] && exit 0\n"
                                          << "[ \"$word\" = --list ] && printf 'a relaxed\\tone\\n' && exit 0; done\n"
                                          << "for last; do :; done\n"
                                          << script << '\n';
    std::filesystem::permissions(room_ / "qemu-aarch64", std::filesystem::perms::owner_all);
    for (const char* needed : {"licit_stress_deque", "plugin.so"}) std::ofstream(room_ / needed).put('\n');
    std::filesystem::create_directory(room_ / "aarch64");
    std::ofstream(room_ / "aarch64/licit_stress_deque").put('\n');
    setenv("PATH", ((room_ / "").string() + ":" + path_).c_str(), 1);
  }
  emulator(const emulator&) = delete;
  emulator& operator=(const emulator&) = delete;
  ~emulator() { setenv("PATH", path_.c_str(), 1); }

  [[nodiscard]] cell judge() const {
    for (const auto& c : licit::matrix::stress_columns((room_ / "").string(), (room_ / "plugin.so").string())) {
      if (c.name == "aarch64-weak")
        return c.judge({.structure = "deque", .name = "a relaxed"}, licit::matrix::find_budget("ci"), "");
    }
    throw std::logic_error("there is no such column");
  }

 private:
  licit::codegen::scratch room_;
  std::string path_;
};

std::string writes(bool caught) {
  return R"(echo '{"results": [)" + result("one", 1, 7, caught) + R"(]}' > "$last"; )" + (caught ? "exit 1" : "exit 0");
}

// What a processor's stronger atomic instructions hide is looked for on one that has not got them.
TEST(Stress, AnOlderProcessorIsAskedToo) {
  const cell c = emulator("case \"$*\" in *dependencies*) exit 0;; *cortex*) " + writes(true) + ";; *) " +
                          writes(false) + ";; esac")
                     .judge();
  EXPECT_EQ(c.found, finding::caught);
  EXPECT_NE(c.note.find("without Armv8.1's"), std::string::npos) << c.note;
}

TEST(Stress, ADependencyMayShowOnAnOlderProcessorOnly) {
  const std::string axioms = "exit " + std::to_string(licit::qemu::forbidden);
  const auto when = [&](const std::string& pattern) {
    return emulator("case \"$*\" in " + pattern + ") " + axioms + ";; *dependencies*) exit 0;; *) " + writes(false) +
                    ";; esac")
        .judge();
  };
  const cell newer = when("*max*dependencies*");
  EXPECT_EQ(newer.found, finding::not_caught);
  EXPECT_TRUE(newer.reason.starts_with("a dependency orders it")) << newer.reason;
  EXPECT_EQ(newer.reason.find("without Armv8.1's"), std::string::npos) << newer.reason;
  const cell older = when("*cortex*dependencies*");
  EXPECT_EQ(older.found, finding::not_caught);
  EXPECT_NE(older.reason.find("without Armv8.1's"), std::string::npos) << older.reason;
}

}  // namespace
