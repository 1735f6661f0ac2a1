#include <array>
#include <initializer_list>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "machine/qemu/history.hpp"
#include "machine/qemu/options.hpp"

namespace licit::qemu {
namespace {

options parsed(std::initializer_list<std::string> texts) {
  std::vector<std::string> kept(texts);
  std::vector<char*> pointers;
  pointers.reserve(kept.size());
  for (std::string& t : kept) pointers.push_back(t.data());
  return parse(pointers);
}

TEST(options, each_is_read) {
  const options all =
      parsed({"weak=off", "fault=views", "schedule=pct", "seed=7", "steps=9", "survey=3", "foretell=all", "shrink=off",
              "history=off", "pin=off", "lines=/bin/false", "report=a.json"});
  EXPECT_FALSE(all.weak);
  EXPECT_EQ(all.fault, seeded::views);
  EXPECT_EQ(all.schedule, scheduling::pct);
  EXPECT_EQ(all.seed, 7U);
  EXPECT_EQ(all.foretell, foretelling::all);
  EXPECT_EQ(all.steps, 9U);
  EXPECT_EQ(all.survey, 3U);
  EXPECT_FALSE(all.shrink);
  EXPECT_FALSE(all.history);
  EXPECT_FALSE(all.pin);
  EXPECT_EQ(all.lines, "/bin/false");
  EXPECT_EQ(all.report, "a.json");
}

TEST(options, without_any_memory_is_weak_and_nothing_is_seeded) {
  const options all = parsed({});
  EXPECT_TRUE(all.weak);
  EXPECT_EQ(all.fault, seeded::none);
}

TEST(options_death, what_is_wrong_is_named) {
  const auto dies = testing::ExitedWithCode(gave_up);
  EXPECT_EXIT(parsed({"weak=perhaps"}), dies, "weak=perhaps: wanted on or off");
  EXPECT_EXIT(parsed({"seed=7x"}), dies, "seed=7x: wanted a number");
  EXPECT_EXIT(parsed({"schedule=best"}), dies, "schedule=best: wanted mixed");
  EXPECT_EXIT(parsed({"sede=7"}), dies, "sede=7: wanted weak, fault");
  EXPECT_EXIT(parsed({"weak"}), dies, "option weak=: wanted name=value");
}

}  // namespace
}  // namespace licit::qemu

// Histories, and the names in them: of this test's own executable.

namespace licit::qemu {
namespace {

TEST(places, are_named_by_what_they_belong_to) {
  places names;
  names.name(0x100, 8, "bottom");
  names.name(0x110, 32, "payload");
  EXPECT_EQ(names.text(0x100, 0x80), "bottom");
  EXPECT_EQ(names.text(0x118, 0x80), "payload+0x8");
  EXPECT_EQ(names.text(0x108, 0x80), "region+0x88");
  EXPECT_EQ(names.text(0x90, 0x80), "region+0x10");
  names.clear();
  EXPECT_EQ(names.text(0x100, 0x80), "region+0x80");
}

TEST(symbols, of_no_file_are_numbers) {
  EXPECT_EQ(symbols("/nowhere", 0).name(0x1234), "0x1234");
  EXPECT_EQ(symbols("/proc/self/status", 0).name(0x1234), "0x1234");
}

TEST(source_lines, without_a_tool_are_unknown) {
  const std::array<std::uint64_t, 1> one{0x1234};
  EXPECT_EQ(source_lines("/nowhere/addr2line", "/proc/self/exe", one).name(0x1234), "");
}

located at(std::uint64_t pc, std::uint32_t word) { return {arm::decode(word), pc}; }

TEST(history, says_who_did_what_where) {
  const located load = at(0x10, 0xc8dffc20);   // ldar x0, [x1]
  const located store = at(0x14, 0xf9000020);  // str x0, [x1]
  const located fence = at(0x18, 0xd5033bbf);  // dmb ish
  places names;
  names.name(0x100, 8, "top");
  deed first{.thread = 1, .at = &load, .address = 0x100, .reads = true, .stale = true};
  first.read[0] = 7;
  deed second{.thread = 0, .at = &store, .address = 0x108, .writes = true};
  second.written[0] = 0xdeadbeefcafe;
  const deed third{.thread = 0, .at = &fence};
  const std::string text = to_text({first, second, third}, {.file = "/nowhere", .lines = "false"}, names, 0x100);
  EXPECT_NE(text.find("thread 1  load acquire"), std::string::npos) << text;
  EXPECT_NE(text.find("top = 7 (not the latest)"), std::string::npos) << text;
  EXPECT_NE(text.find("region+0x8 := 0xdeadbeefcafe"), std::string::npos) << text;
  EXPECT_NE(text.find("full barrier"), std::string::npos) << text;
  EXPECT_NE(text.find("0x18\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace licit::qemu
