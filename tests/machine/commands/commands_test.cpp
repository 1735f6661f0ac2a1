/// The commands as their users run them. licit codegen sees orders that are changed, so that its silence means
/// something.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"
#include "tool/command.hpp"

namespace {

using licit_test::contains;
using ran = licit::codegen::finished;

ran codegen(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {LICIT_TOOL, "codegen"});
  return licit::codegen::run(arguments);
}

struct seeded {
  const char* target;
  const char* compiler;
  const char* change;
  const char* found;

  friend void PrintTo(const seeded& s, std::ostream* out) {
    *out << s.target << " by " << s.compiler << ", " << s.change;
  }
};

class Seeded : public testing::TestWithParam<seeded> {};

TEST_P(Seeded, AChangedOrderIsFoundAtItsSite) {
  const seeded& s = GetParam();
  const ran f = codegen({"--structure", "chase-lev", "--target", s.target, "--compiler", s.compiler, "--change",
                         s.change, "--check", LICIT_EXPECTED});
  if (f.status == 3) GTEST_SKIP() << f.output;
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, s.found)) << f.output;
}

INSTANTIATE_TEST_SUITE_P(
    Codegen, Seeded,
    testing::Values(seeded{"x86-64", "g++", "push.publish=seq_cst", "push.publish: expected plain, found `xchg`"},
                    seeded{"x86-64", "clang", "pop.fence=std-fence", "pop.fence: expected `lock or`, found `mfence`"},
                    seeded{"x86-64", "clang", "steal.fence=removed", "steal.fence: expected `lock or`, found none"},
                    seeded{"aarch64", "g++", "push.publish=release-fence",
                           "push.publish: expected `stlr`, found `dmb ish`"},
                    seeded{"aarch64", "clang", "steal.bottom=relaxed", "steal.bottom: expected `ldar`, found plain"},
                    seeded{"riscv64", "g++", "steal.claim=relaxed",
                           "steal.claim: expected `fence iorw,iorw` `lr.d` `sc.d`, found `lr.d` `sc.d`"}));

/// An include path on which one thing in native.hpp is made different.
class changed_headers {
 public:
  changed_headers(const std::string& from, const std::string& to) {
    std::filesystem::create_directories(folder_ / "licit");
    std::filesystem::copy(LICIT_SOURCE "/deque/include/licit/deque", folder_ / "licit/deque");
    std::ifstream in(LICIT_SOURCE "/deque/include/licit/deque/native.hpp");
    std::string native{std::istreambuf_iterator<char>(in), {}};
    const std::size_t place = native.find(from);
    if (place == std::string::npos) throw std::runtime_error("native.hpp has no " + from);
    std::ofstream(folder_ / "licit/deque/native.hpp") << native.replace(place, from.size(), to);
  }

  [[nodiscard]] std::string path() const { return (folder_ / "").string() + ":" + LICIT_HEADERS; }

 private:
  licit::codegen::scratch folder_;
};

TEST(Codegen, AReleaseThatTheCompilerLeavesOutIsTooWeak) {
  const changed_headers headers("__GNUC__ < 14", "__GNUC__ < 1");
  const ran f = codegen({"--structure", "chase-lev", "--target", "riscv64", "--compiler", "g++", "--include",
                         headers.path(), "--check", LICIT_EXPECTED});
  if (f.status == 3) GTEST_SKIP() << f.output;
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "TOO WEAK: steal.claim: `lr.d` `sc.d` is not compare_exchange release/relaxed"))
      << f.output;
}

const licit::codegen::structure& chase_lev = licit::codegen::find_structure("chase-lev");

/// The registers that pop saves before it comes to its fence.
std::ptrdiff_t saves_before_the_fence(const std::string& headers, const licit::codegen::compiler& by) {
  for (const licit::codegen::function& f : licit::codegen::disassemble_operations(chase_lev, by, headers)) {
    if (f.name != "licit_pop") continue;
    const auto is = [](const char* name) { return [=](const auto& line) { return line.text.starts_with(name); }; };
    const auto fence = std::ranges::find_if(f.lines, is("dmb"));
    EXPECT_NE(fence, f.lines.end());
    return std::count_if(f.lines.begin(), fence, is("stp"));
  }
  ADD_FAILURE() << "there is no licit_pop";
  return 0;
}

TEST(Codegen, APopThatTakesNoLastItemSavesNoRegistersForTheCallOfTheCompareExchange) {
  const changed_headers as_they_are("calls_compare_exchange = true", "calls_compare_exchange = true");
  const changed_headers inlined("calls_compare_exchange = true", "calls_compare_exchange = false");
  for (const std::string_view name : licit::codegen::compilers) {
    try {
      const licit::codegen::compiler by = licit::codegen::find_compiler(name, licit::codegen::targets[1]);
      EXPECT_EQ(saves_before_the_fence(as_they_are.path(), by), 0) << name;
      EXPECT_GT(saves_before_the_fence(inlined.path(), by), 0) << name;
    } catch (const licit::codegen::missing& e) {
      GTEST_SKIP() << e.what();
    }
  }
}

TEST(Codegen, JsonHasTheDocumentedFields) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / ("licit-codegen-" + std::to_string(::getpid()) + ".json");
  const ran f =
      codegen({"--structure", "chase-lev", "--target", "x86-64", "--compiler", "clang", "--json", file.string()});
  if (f.status == 3) GTEST_SKIP() << f.output;
  ASSERT_EQ(f.status, 0) << f.output;
  std::ifstream in(file);
  const auto rows = nlohmann::json::parse(in);
  ASSERT_EQ(rows.size(), 1U);
  for (const char* key : {"structure", "target", "compiler", "version", "command", "sites", "operations", "marked"}) {
    EXPECT_TRUE(rows[0].contains(key)) << key;
  }
  EXPECT_EQ(rows[0]["operations"]["steal"]["lock or"], 1);
  EXPECT_EQ(rows[0]["sites"][11]["site"], "pop.fence");
  EXPECT_EQ(rows[0]["sites"][11]["places"], nlohmann::json::parse(R"([["lock or"]])"));
}

TEST(Codegen, AMissingCompilerIsASkipThatNamesIt) {
  const std::string nowhere = "PATH=" + testing::TempDir() + "/nowhere";
  const ran f = licit::codegen::run(
      {"/usr/bin/env", nowhere, LICIT_TOOL, "codegen", "--structure", "chase-lev", "--target", "riscv64"});
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(contains(
      f.output, "chase-lev on riscv64 by g++: skipped: no riscv64-linux-gnu-g++ (Debian: g++-riscv64-linux-gnu)"))
      << f.output;
  EXPECT_TRUE(contains(f.output, "chase-lev on riscv64 by clang: skipped: no clang++-19 (Debian: clang-19)"))
      << f.output;
}

TEST(Codegen, BadUsageSaysWhatIsWrong) {
  for (const auto& [arguments, message] : std::initializer_list<std::pair<std::vector<std::string>, const char*>>{
           {{"--target", "vax"}, "--target: vax not in {"},
           {{"--compiler", "icc"}, "--compiler: icc not in {"},
           {{"--structure", "vax"}, "--structure: vax not in {"},
           {{"--change", "push.publish=relaxed"}, "a change is of one table: name it by --structure"},
           {{"--structure", "chase-lev", "--change", "push.nowhere=relaxed"},
            "the table chase-lev has no site push.nowhere"},
           {{"--structure", "chase-lev", "--change", "steal.item=removed"}, "a load cannot be made removed"},
           {{"--include", "/nonexistent"}, "finds no licit/deque/chase_lev.hpp in /nonexistent"},
           {{"--structure", "chase-lev", "--target", "x86-64", "--check", "/nonexistent"},
            "/nonexistent/expected.md: cannot read"}}) {
    const ran f = codegen(arguments);
    EXPECT_EQ(f.status, 2) << message;
    EXPECT_TRUE(contains(f.output, message)) << f.output;
  }
}

/// licit matrix: cells, files, results of earlier runs, and that its check can fail.

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
