#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/binary/client.hpp"
#include "machine/codegen/process.hpp"

namespace licit::binary {
namespace {

const codegen::target& target(std::string_view name) {
  return *std::ranges::find(codegen::targets, name, &codegen::target::name);
}

std::optional<codegen::compiler> compiler_for(std::string_view name) {
  try {
    return codegen::find_compiler("g++", target(name));
  } catch (const codegen::missing&) {
    return std::nullopt;
  }
}

executable built(const codegen::compiler& by, std::string_view structure,
                 const std::optional<std::vector<std::string>>& changed = std::nullopt) {
  const codegen::structure& s = codegen::find_structure(structure);
  if (!changed) return build(s, by, licit::codegen::headers_of_this_build());
  std::vector<codegen::change> all;
  for (const std::string& text : *changed) all.push_back(codegen::parse_change(text, s));
  return build(s, by, licit::codegen::headers_of_this_build(), all);
}

/// The first client that is wrong, and how; nothing if none is.
std::string wrong(const executable& on) {
  for (const client& c : clients()) {
    if (!suits(c, on)) continue;
    const verdict v = run(c, on);
    if (!v.violation.empty()) return std::string(c.name) + ": " + v.violation.substr(0, v.violation.find('\n'));
    EXPECT_TRUE(v.counts.complete) << c.name;
    EXPECT_GT(v.counts.executions, 1U) << c.name;
    EXPECT_EQ(v.counts.too_long, 0U) << c.name;
  }
  return {};
}

class CompiledCode : public ::testing::TestWithParam<const char*> {};

TEST_P(CompiledCode, IsRight) {
  const auto by = compiler_for(GetParam());
  if (!by) GTEST_SKIP() << "no cross compiler for " << GetParam();
  for (const char* structure : {"chase-lev", "run-queue", "split", "tagged"}) {
    EXPECT_EQ(wrong(built(*by, structure)), "") << structure;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, CompiledCode, ::testing::Values("aarch64", "aarch64+lse"),
                         [](const auto& of) { return of.index == 0 ? "exclusives" : "large_system_extensions"; });

TEST(CompiledMutants, AreFoundWrong) {
  const auto by = compiler_for("aarch64+lse");
  if (!by) GTEST_SKIP() << "no cross compiler";
  EXPECT_EQ(wrong(built(*by, "chase-lev", {{"push.publish=relaxed"}})),
            "last_item: thread 1 took an item and did not see what is in it");
  EXPECT_EQ(wrong(built(*by, "chase-lev", {{"pop.fence=relaxed"}})), "two_items: item 1 was taken 2 times");
  EXPECT_EQ(wrong(built(*by, "chase-lev", {{"grow.publish=relaxed"}})), "growth: item 0 was lost");
}

/// A thief's read of a slot moves behind its claim: without ghosts, in compiled code. The owner's look at `top` is
/// ordered before its next store to a slot by the branch on what it saw, whatever the order of push.room.
TEST(CompiledMutants, AreFoundWrongByLoadBuffering) {
  for (const char* to : {"aarch64", "aarch64+lse"}) {
    const auto by = compiler_for(to);
    if (!by) GTEST_SKIP() << "no cross compiler";
    const executable unordered = built(*by, "chase-lev", {{"steal.claim=relaxed"}});
    const client& growth = *std::ranges::find(clients(), "growth", &client::name);
    EXPECT_EQ(wrong(unordered), "growth: item 0 was lost") << to;
    EXPECT_EQ(run(growth, unordered, {.load_buffering = false}).violation, "") << to;
    EXPECT_EQ(wrong(built(*by, "chase-lev", {{"push.room=relaxed"}})), "") << to;
  }
}

/// `dmb ish` is a sequentially consistent fence and any other.
TEST(CompiledMutants, MayBeTheSameCode) {
  const auto by = compiler_for("aarch64");
  if (!by) GTEST_SKIP() << "no cross compiler";
  const std::string unchanged = built(*by, "chase-lev", std::vector<std::string>{}).code();
  EXPECT_NE(unchanged.find("licit_pop"), std::string::npos);
  EXPECT_EQ(built(*by, "chase-lev", {{"pop.fence=acq_rel"}}).code(), unchanged);
  EXPECT_NE(built(*by, "chase-lev", {{"pop.fence=relaxed"}}).code(), unchanged);
}

/// A light fence is no instruction: without the heavy one, which is a system call, the owner is not ordered.
TEST(CompiledMutants, OfAsymmetricFencesAreFoundWrong) {
  const auto by = compiler_for("aarch64+lse");
  if (!by) GTEST_SKIP() << "no cross compiler";
  const client& two_items = *std::ranges::find(clients(), "two_items", &client::name);
  EXPECT_EQ(run(two_items, built(*by, "chase-lev-asymmetric")).violation, "");
  const verdict v = run(two_items, built(*by, "chase-lev-asymmetric", {{"steal.fence=relaxed"}}));
  EXPECT_EQ(v.violation.substr(0, v.violation.find('\n')), "item 1 was taken 2 times");
  EXPECT_NE(v.violation.find("licit_steal+"), std::string::npos) << "where each access is";
}

TEST(Weakenings, AreEachOrderingOneStepDownAndRelaxed) {
  const codegen::structure& s = codegen::find_structure("chase-lev");
  std::vector<std::string> some;
  for (const codegen::change& c : weakenings(s)) {
    const std::string site(s.rows[c.row].site);
    if (site == "push.publish" || site == "pop.fence" || site == "half.again" || site == "push.item") {
      some.push_back(site + " " + c.how);
    }
  }
  EXPECT_EQ(some, (std::vector<std::string>{"push.publish relaxed", "pop.fence acq_rel", "pop.fence relaxed",
                                            "half.again acquire", "half.again relaxed"}));
}

TEST(Executables, SayWhatIsWrongWithThem) {
  const codegen::scratch place;
  const auto error = [&](const std::string& contents) {
    const std::string file = (place / "file").string();
    std::ofstream(file) << contents;
    try {
      read_executable(file);
    } catch (const std::runtime_error& e) {
      return std::string(e.what()).substr(file.size());
    }
    return std::string("none");
  };
  EXPECT_EQ(error("short"), ": ends early");
  EXPECT_EQ(error(std::string(100, 'x')), ": is no 64-bit ELF file");
  EXPECT_THROW(read_executable(place / "nothing"), std::runtime_error);
  std::ifstream self("/proc/self/exe", std::ios::binary);
  const std::string own{std::istreambuf_iterator<char>(self), {}};
  EXPECT_EQ(error(own), ": is no AArch64 executable at fixed addresses (link it -static -no-pie)");
}

}  // namespace
}  // namespace licit::binary
