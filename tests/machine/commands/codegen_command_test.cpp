// The command as its users run it; and that it sees orders which are changed, so that its silence means something.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"

namespace {

using licit::codegen::finished;

finished codegen(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {LICIT_TOOL, "codegen"});
  return licit::codegen::run(arguments);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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
  const finished f = codegen({"--structure", "chase-lev", "--target", s.target, "--compiler", s.compiler, "--change",
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
  const finished f = codegen({"--structure", "chase-lev", "--target", "riscv64", "--compiler", "g++", "--include",
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
  const auto file = std::filesystem::path(testing::TempDir()) / "codegen.json";
  const finished f =
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
  const finished f = licit::codegen::run(
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
            "/nonexistent/chase-lev.md: cannot read"}}) {
    const finished f = codegen(arguments);
    EXPECT_EQ(f.status, 2) << message;
    EXPECT_TRUE(contains(f.output, message)) << f.output;
  }
}

}  // namespace
