#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
