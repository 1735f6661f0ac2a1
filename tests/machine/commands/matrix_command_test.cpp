/// licit matrix: cells, files, results of earlier runs, and that its check can fail.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tool/command.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;
using nlohmann::json;
namespace fs = std::filesystem;

class Matrix : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(room); }
  void TearDown() override { fs::remove_all(room); }
  [[nodiscard]] std::string at(const char* name) const { return (room / name).string(); }
  [[nodiscard]] std::string text_of(const char* name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Of the only row in the file.
  [[nodiscard]] json cells_of(const char* name) const { return json::parse(text_of(name))["rows"][0]["cells"]; }

  const fs::path room = fs::temp_directory_path() / ("licit-matrix-" + std::to_string(::getpid()));
};

const std::string row = "matrix --quiet --budget ci --row 'parker/unpark.swap relaxed' ";

TEST_F(Matrix, ARowByTheColumnsOfThisProcess) {
  const finished f = licit(
      "matrix --quiet --budget ci --row 'chase-lev/push.publish relaxed' --column exhaustive relacy random pct "
      "--json " +
      at("m.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  const json cells = cells_of("m.json");
  ASSERT_EQ(cells.size(), 4U);
  for (const json& c : cells) {
    EXPECT_EQ(c["found"], "caught") << cells;
    EXPECT_GT(c["executions"], 0U);
  }
}

TEST_F(Matrix, SaysWhatAMutantIsCaughtByAlone) {
  const std::string by = "matrix --quiet --structure run-queue --column exhaustive --json " + at("m.json") + " --row ";
  licit(by + "'steal.claim relaxed'");
  EXPECT_EQ(cells_of("m.json")["exhaustive"]["only"], "load buffering");
  licit(by + "'push.publish relaxed'");
  EXPECT_FALSE(cells_of("m.json")["exhaustive"].contains("only"));
  licit("matrix --quiet --structure tagged --column exhaustive --row 'pop.reserve relaxed' --json " + at("m.json"));
  EXPECT_EQ(cells_of("m.json")["exhaustive"]["only"], "C++20's release sequences");
}

TEST_F(Matrix, TheSameSeedsTheSameCells) {
  licit(row + "--column pct --seeds 2 --json " + at("a.json"));
  licit(row + "--column pct --seeds 2 --jobs 2 --json " + at("b.json"));
  json a = cells_of("a.json")["pct"];
  json b = cells_of("b.json")["pct"];
  a.erase("seconds");
  b.erase("seconds");
  EXPECT_EQ(a, b);
  EXPECT_EQ(a["seeds"], 2U);
}

TEST_F(Matrix, WhatIsNotBuiltIsNotRunAndSaysHowToBuildIt) {
  const finished f =
      licit(row + "--column fuzzing x86 arm64 --fuzzer /nowhere --stress /nowhere --hardware /nowhere --json " +
            at("m.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  const json cells = cells_of("m.json");
  EXPECT_TRUE(contains(cells["fuzzing"]["reason"], "make build-fuzz")) << cells;
  EXPECT_TRUE(contains(cells["x86"]["reason"], "--target stress")) << cells;
  EXPECT_EQ(cells["arm64"]["found"], "not run") << cells;
}

TEST_F(Matrix, ResultsOfHardwareAreRead) {
  std::ofstream(at("parker.json")) << R"({"results": [{"structure": "parker", "row": "unpark.swap relaxed",
    "program": "token", "seed": 1, "executions": 77, "seconds": 0.5, "caught": true, "what": "lost"}]})";
  licit(row + "--column arm64 --hardware " + room.string() + " --json " + at("m.json"));
  EXPECT_EQ(cells_of("m.json")["arm64"]["executions"], 77U);
}

/// hardware.sh and the column that reads what it leaves. A script stands for the executables.
class Hardware : public Matrix {
 protected:
  void SetUp() override {
    Matrix::SetUp();
    fs::create_directories(room / "built");
  }
  void parker_ends_with(int status) const {
    const fs::path file = room / "built" / "licit_stress_parker";
    std::ofstream(file) << R"(#!/bin/sh
while [ $# -ne 0 ]; do
  case $1 in --machine) machine=$2 ;; --json) json=$2 ;; esac
  shift 2
done
printf '{"machine": "%s", "results": [{"structure": "parker", "row": "unpark.swap relaxed", "program": "token",
  "seed": 1, "executions": 77, "seconds": 0.5, "caught": true, "what": "lost"}]}' "$machine" >"$json"
exit )" << status << '\n';
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] int run(const std::string& folder) const {
    return ::system(
        (LICIT_SOURCE "/models/machine/matrix/hardware.sh " + folder + " " + at("arm64") + " 2>/dev/null").c_str());
  }
};

TEST_F(Hardware, FillsItsColumnAndIsNamed) {
  parker_ends_with(1);
  ASSERT_EQ(run(at("built")), 0);
  const finished f = licit(row + "--column arm64 --hardware " + at("arm64") + " --json " + at("m.json"));
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_EQ(cells_of("m.json")["arm64"]["executions"], 77U);
  const json columns = json::parse(text_of("m.json"))["columns"];
  EXPECT_TRUE(contains(columns.back()["machine"], " processors")) << columns;
  EXPECT_FALSE(columns.front().contains("machine"));
}

TEST_F(Hardware, StopsWhereAnExecutableCannotRun) {
  EXPECT_NE(run(at("built")), 0) << "there is none";
  parker_ends_with(2);
  EXPECT_NE(run(at("built")), 0);
}

TEST_F(Matrix, GoesOnWhereItWasStopped) {
  licit(row + "--column exhaustive --json " + at("m.json"));
  json half = json::parse(text_of("m.json"));
  half["rows"][0]["cells"]["exhaustive"]["executions"] = 4242;  // to see that it is taken over
  half["budget"] = "normal, ci";
  std::ofstream(at("half.json")) << half;
  const std::string pages = "matrix --quiet --pages --from " + at("half.json") + " --json " + at("all.json");
  const finished f = licit(pages);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "1 cells of")) << f.output;
  EXPECT_TRUE(contains(text_of("all.json"), "4242"));
  EXPECT_TRUE(contains(text_of("all.json"), "chase-lev")) << "all rows are there, judged or not";
  licit(row + "--column exhaustive --from " + at("half.json") + " --json " + at("again.json"));
  EXPECT_FALSE(contains(text_of("again.json"), "4242")) << "what is named is run again";
  EXPECT_EQ(json::parse(text_of("again.json"))["budget"], "ci, normal") << "each budget once";
  licit(row + "--column exhaustive --missing --from " + at("half.json") + " --json " + at("kept.json"));
  EXPECT_TRUE(contains(text_of("kept.json"), "4242")) << "unless it is not to be";
}

class Checked : public Matrix {
 protected:
  void SetUp() override {
    Matrix::SetUp();
    const finished f = licit("matrix --quiet --budget ci --structure parker --column exhaustive random pct --record " +
                             at("record.txt"));
    ASSERT_EQ(f.status, 0) << f.output;
  }
  [[nodiscard]] finished check(const std::string& more) const {
    return licit("matrix --quiet --budget ci --structure parker --check " + at("record.txt") + " " + more);
  }
};

TEST_F(Checked, IsAsItMustBe) {
  const finished f = check("");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "as they must be")) << f.output;
}

TEST_F(Checked, NoticesARecordOfOtherRows) {
  std::string record = text_of("record.txt");
  record.replace(record.find("c every order seq_cst"), 21, "o gone relaxed");
  std::ofstream(at("record.txt")) << record;
  const finished f = check("");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "parker/gone relaxed: of the record; there is no such row")) << f.output;
}

TEST_F(Checked, MakesPagesThatNeedNothingElse) {
  const finished f = licit("matrix --quiet --pages --from " + at("record.txt") + " --html " + at("page.html") +
                           " --markdown " + at("page.md"));
  EXPECT_EQ(f.status, 0) << f.output;
  const std::string page = text_of("page.html");
  for (const char* part : {"<!DOCTYPE html>", "viewport", "unpark.swap relaxed", "class=\"caught\"", "</html>"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  for (const char* part : {"src=", "href=", "url(", "http://", "https://"}) EXPECT_FALSE(contains(page, part)) << part;
  const std::string table = text_of("page.md");
  EXPECT_TRUE(contains(table, "| unpark.swap relaxed |")) << table;
}

TEST_F(Matrix, NamesWhatThereIsNot) {
  EXPECT_TRUE(contains(licit("matrix --row 'push.publish relaxt'").output, "there is no row 'push.publish relaxt'"));
  EXPECT_TRUE(contains(licit("matrix --pages --from /nowhere.json").output, "cannot read /nowhere.json"));
  EXPECT_TRUE(contains(licit("matrix --check /nowhere.json").output, "cannot read /nowhere.json"));
  EXPECT_EQ(licit("matrix --column fastest").status, 2);
}

TEST_F(Matrix, TheRowsAreListed) {
  const finished f = licit("matrix --list");
  EXPECT_EQ(f.status, 0);
  for (const char* part : {"exhaustive ", "aarch64-weak ", "\nchase-lev\n", "push.publish relaxed", "correct code"}) {
    EXPECT_TRUE(contains(f.output, part)) << part;
  }
}

}  // namespace
