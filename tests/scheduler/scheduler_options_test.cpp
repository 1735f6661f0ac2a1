#include <chrono>
#include <csignal>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include <licit/scheduler/scheduler_options.hpp>

#include <gtest/gtest.h>

namespace {

using options = licit::scheduler_options;

std::string refusal(const options& o) {
  try {
    o.validate();
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    const std::string begin = "licit: scheduler option ";
    EXPECT_EQ(what.substr(0, begin.size()), begin);
    return what.substr(begin.size());
  }
  return "accepted";
}

/// Both ends are accepted, and what lies beyond them is refused by that name.
template <class Set>
void expect_range(const std::string& name, std::uint64_t least, std::uint64_t most, Set&& set) {
  const auto with = [&](std::uint64_t value) {
    options o;
    set(o, value);
    return refusal(o);
  };
  const std::string range = ", and must be from " + std::to_string(least) + " to " + std::to_string(most);
  EXPECT_EQ(with(least), "accepted");
  EXPECT_EQ(with(most), "accepted");
  if (least != 0) {
    EXPECT_EQ(with(least - 1), name + " is " + std::to_string(least - 1) + range);
  }
  EXPECT_EQ(with(most + 1), name + " is " + std::to_string(most + 1) + range);
}

TEST(SchedulerOptions, DefaultsAreAccepted) {
  EXPECT_EQ(refusal({}), "accepted");
  EXPECT_GE(options{}.resolved_workers(), 1U);
  EXPECT_LE(options{}.resolved_workers(), options::most_workers);
  EXPECT_EQ(options{.workers = 3}.resolved_workers(), 3U);
}

TEST(SchedulerOptions, RangesAreChecked) {
  expect_range("workers", 0, 4096, [](options& o, std::uint64_t v) { o.workers = v; });
  expect_range("inject_batch", 1, 1024, [](options& o, std::uint64_t v) { o.inject_batch = v; });
  const auto narrow = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  expect_range("lifo_in_a_row", 0, 1024, [&](options& o, std::uint64_t v) { o.lifo_in_a_row = narrow(v); });
  expect_range("budget", 1, 65535, [&](options& o, std::uint64_t v) { o.budget = narrow(v); });
  expect_range("steal_at_most", 1, 65536, [](options& o, std::uint64_t v) { o.steal_at_most = v; });
  expect_range("spins", 0, 10000, [&](options& o, std::uint64_t v) { o.spins = narrow(v); });
}

TEST(SchedulerOptions, TheIntervalIsChecked) {
  const auto narrow = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  expect_range("interval.fixed", 0, 65535, [&](options& o, std::uint64_t v) { o.interval.fixed = narrow(v); });
  expect_range("interval.target_ns", 1000, 1000000000, [](options& o, std::uint64_t v) { o.interval.target_ns = v; });
  expect_range("interval.least", 1, 65535, [&](options& o, std::uint64_t v) {
    o.interval.least = narrow(v);
    o.interval.most = 65535;
  });
  expect_range("interval.most", 100, 65535, [&](options& o, std::uint64_t v) {
    o.interval.least = 100;
    o.interval.most = narrow(v);
  });
}

TEST(SchedulerOptions, CapacitiesArePowersOfTwo) {
  const std::string range = ", and must be a power of two from 2 to 65536";
  for (const std::size_t good : {2, 256, 65536}) EXPECT_EQ(refusal({.local_capacity = good}), "accepted");
  for (const std::size_t bad : {0, 1, 3, 255, 131072}) {
    EXPECT_EQ(refusal({.local_capacity = bad}), "local_capacity is " + std::to_string(bad) + range);
  }
  for (const std::size_t good : {0, 2, 1 << 24}) EXPECT_EQ(refusal({.trace_events = good}), "accepted");
  for (const std::size_t bad : {1, 100, 1 << 25}) {
    EXPECT_EQ(refusal({.trace_events = bad}),
              "trace_events is " + std::to_string(bad) + ", and must be 0 or a power of two from 2 to 16777216");
  }
}

TEST(SchedulerOptions, EnumerationsAreOneOfTheirNames) {
  EXPECT_EQ(refusal({.order = licit::local_order::lifo}), "accepted");
  EXPECT_EQ(refusal({.order = static_cast<licit::local_order>(2)}), "order is 2, and must be one of its 2 names");
  EXPECT_EQ(refusal({.join_fences = licit::join_fences::full}), "accepted");
  EXPECT_EQ(refusal({.join_fences = static_cast<licit::join_fences>(2)}),
            "join_fences is 2, and must be one of its 2 names");
}

TEST(SchedulerOptions, ChosenFencesAreFullForMoreThanEightWorkers) {
  using licit::join_fences;
  EXPECT_EQ(options{.workers = 1}.resolved_fences(), join_fences::chosen);
  EXPECT_EQ(options{.workers = 8}.resolved_fences(), join_fences::chosen);
  EXPECT_EQ(options{.workers = 9}.resolved_fences(), join_fences::full);
  EXPECT_EQ((options{.workers = 1, .join_fences = join_fences::full}.resolved_fences()), join_fences::full);
  const bool many = options{}.resolved_workers() > options::most_asymmetric_workers;
  EXPECT_EQ(options{}.resolved_fences(), many ? join_fences::full : join_fences::chosen);
}

TEST(SchedulerOptions, ANameLeavesRoomForTheNumber) {
  EXPECT_EQ(refusal({.thread_name = ""}), "accepted");
  EXPECT_EQ(refusal({.thread_name = "eleven-long"}), "accepted");
  EXPECT_EQ(
      refusal({.thread_name = "twelve-long-"}),
      "thread_name is of 12 characters (twelve-long-), and must be of at most 11, to which the worker's number is "
      "added");
  EXPECT_EQ(refusal({.thread_name = std::string("a\0b", 3)}),
            "thread_name is a name with a zero character, and must be without one");
}

TEST(SchedulerOptions, AStallIsOfASensibleLength) {
  using namespace std::chrono_literals;
  for (const auto good : {0ns, std::chrono::nanoseconds(100us), std::chrono::nanoseconds(24h)}) {
    EXPECT_EQ(refusal({.stall_after = good}), "accepted");
  }
  EXPECT_EQ(refusal({.stall_after = 99999ns}), "stall_after is 99999, and must be from 100000 to 86400000000000");
  EXPECT_EQ(refusal({.stall_after = -1ns}), "stall_after is -1 ns, and must be 0 or more");
}

TEST(SchedulerOptions, AStackIsTheDefaultOrOfAUsefulSize) {
  const std::string range = ", and must be from 65536 to 68719476736";
  for (const std::size_t good : {0UL, 65536UL, 1UL << 36}) EXPECT_EQ(refusal({.stack_bytes = good}), "accepted");
  for (const std::size_t bad : {1UL, 65535UL, (1UL << 36) + 1}) {
    EXPECT_EQ(refusal({.stack_bytes = bad}), "stack_bytes is " + std::to_string(bad) + range);
  }
}

TEST(SchedulerOptions, SignalsThatCannotBeBlockedAreRefused) {
  EXPECT_EQ(refusal({.blocked_signals = {SIGINT, SIGUSR1, SIGRTMIN, SIGRTMAX}}), "accepted");
  EXPECT_EQ(refusal({.blocked_signals = options::all_signals()}), "accepted");
  EXPECT_GT(options::all_signals().size(), 20U);
  for (const int bad : {0, -1, SIGKILL, SIGSTOP, SIGSEGV, SIGRTMAX + 1}) {
    EXPECT_EQ(refusal({.blocked_signals = {SIGINT, bad}}),
              "blocked_signals is with signal " + std::to_string(bad) +
                  ", and must be of signals that exist and may be blocked: not SIGKILL, SIGSTOP and those of faulty "
                  "instructions");
  }
}

TEST(SchedulerOptions, AffinityIsForAllOrForEach) {
  EXPECT_EQ(refusal({.workers = 2, .affinity = {{0, 1}}}), "accepted");
  EXPECT_EQ(refusal({.workers = 2, .affinity = {{0}, {1023}}}), "accepted");
  EXPECT_EQ(refusal({.workers = 2, .affinity = {{0}, {1}, {2}}}),
            "affinity is of 3 sets, and must be of none, of one, or of one for each of the 2 workers");
  EXPECT_EQ(refusal({.workers = 2, .affinity = {{0}, {}}}),
            "affinity[1] is empty, and must be a set of at least one processor");
  EXPECT_EQ(refusal({.workers = 2, .affinity = {{3, 1024, 5}}}),
            "affinity[0] is with processor 1024, and must be of processors from 0 to 1023");
}

TEST(SchedulerOptions, WithoutASeedEachSchedulerHasItsOwn) {
  licit::scheduler_options options;
  std::set<std::uint64_t> seeds;
  for (int i = 0; i != 1000; ++i) seeds.insert(options.resolved_seed());
  EXPECT_EQ(seeds.size(), 1000U);
  options.seed = 7;
  EXPECT_EQ(options.resolved_seed(), 7U);
  EXPECT_EQ(options.resolved_seed(), 7U);
}

}  // namespace
