#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

#include <licit/scheduler/metrics/metrics.hpp>

#include <gtest/gtest.h>

namespace {

using licit::poll_buckets;

/// Stands still until it is told to go on.
struct held {
  static inline std::uint64_t time = 0;
  static inline int readings = 0;
  static std::uint64_t now() noexcept {
    ++readings;
    return time;
  }
};

using metrics = licit::worker_metrics<licit::native, held>;

TEST(PollBuckets, EachBeginsWhereTheOneBeforeEnds) {
  for (std::size_t i = 0; i + 1 != poll_buckets::count; ++i) {
    const std::uint64_t begin = poll_buckets::begin(i);
    const std::uint64_t end = poll_buckets::begin(i + 1);
    ASSERT_LT(begin, end);
    EXPECT_EQ(poll_buckets::of(begin), i);
    EXPECT_EQ(poll_buckets::of(end - 1), i);
    EXPECT_EQ(poll_buckets::of(end), i + 1);
    EXPECT_TRUE(end - begin == 1 || (end - begin) * 4 <= begin) << begin;
  }
  EXPECT_EQ(poll_buckets::of(~std::uint64_t{0}), poll_buckets::count - 1);
}

TEST(DurationCounts, QuantilesAreTheUpperEndsOfBuckets) {
  licit::duration_counts times;
  EXPECT_EQ(times.quantile(0.5), 0U);
  for (int i = 0; i != 99; ++i) ++times.buckets[poll_buckets::of(100)];  // 96 to 111
  ++times.buckets[poll_buckets::of(1000000)];
  EXPECT_EQ(times.count(), 100U);
  EXPECT_EQ(times.quantile(0), 111U);
  EXPECT_EQ(times.quantile(0.5), 111U);
  EXPECT_EQ(times.quantile(0.99), 111U);
  EXPECT_EQ(times.quantile(1), 1048575U);  // 917504 to 1048575
}

TEST(ParkedTime, IsUpToTheMomentOfAsking) {
  held::time = 1000;
  licit::detail::parked_time<> parked;
  EXPECT_EQ(parked.read<held>(), 0U);
  parked.parks(1000);
  held::time = 1300;
  EXPECT_EQ(parked.read<held>(), 300U);
  parked.wakes(1400);
  held::time = 5000;
  EXPECT_EQ(parked.read<held>(), 400U);
  parked.parks(5000);
  held::time = 5050;
  EXPECT_EQ(parked.read<held>(), 450U);
  parked.wakes(5100);
  EXPECT_EQ(parked.read<held>(), 500U);
}

/// Every call once, with numbers that tell them apart.
template <class Metrics>
void call_all(Metrics& m) {
  m.poll_begins(&m);
  m.poll_ends();
  m.spawned();
  m.finished();
  m.threw();
  m.cancelled();
  m.forced_yield(&m);
  m.slot_hit();
  m.overflowed(129);
  m.from_inject(32);
  m.search_begins();
  m.steal_tried();
  m.stole(1, 16);
  m.slot_stolen(1);
  m.parks();
  m.wakes();
}

TEST(WorkerMetrics, EachCallCountsItsOwn) {
  metrics m;
  call_all(m);
  const licit::worker_counts<std::uint64_t> counts = m.read().counts;
  for (const auto& count : licit::described_counts<std::uint64_t>) {
    std::uint64_t expected = 1;
    if (count.name == "items_overflowed") expected = 129;
    if (count.name == "items_from_inject") expected = 32;
    if (count.name == "items_stolen") expected = 16;
    if (count.name == "empty_wakes") expected = 0;
    EXPECT_EQ(counts.*count.number, expected) << count.name;
  }
}

TEST(WorkerMetrics, NoMetricsHasEveryCallAndNothingElse) {
  licit::no_metrics none;
  call_all(none);
  EXPECT_TRUE(std::is_empty_v<licit::no_metrics>);
}

TEST(WorkerMetrics, AWakeAfterWhichNothingIsRunIsEmpty) {
  metrics m;
  m.parks();
  EXPECT_EQ(m.read().counts.empty_wakes, 0U);  // it has not been woken before
  m.wakes();
  m.poll_begins(&m);
  m.poll_ends();
  m.parks();
  EXPECT_EQ(m.read().counts.empty_wakes, 0U);
  m.wakes();
  EXPECT_EQ(m.read().counts.empty_wakes, 0U);  // it may still find something
  m.parks();
  EXPECT_EQ(m.read().counts.empty_wakes, 1U);
}

TEST(WorkerMetrics, PollsAreMeasuredOnlyIfAskedFor) {
  metrics without;
  held::readings = 0;
  without.poll_begins(&without);
  without.poll_ends();
  EXPECT_EQ(held::readings, 0);
  EXPECT_FALSE(without.read().poll_times.has_value());
  metrics with({.measure_polls = true});
  with.poll_begins(&with);
  held::time += 5000;
  with.poll_ends();
  const licit::worker_snapshot seen = with.read();
  ASSERT_TRUE(seen.poll_times.has_value());
  EXPECT_EQ(seen.poll_times->count(), 1U);
  EXPECT_EQ(seen.poll_times->sum_ns, 5000U);
  EXPECT_EQ(seen.poll_times->buckets[poll_buckets::of(5000)], 1U);
}

TEST(WorkerMetrics, HaveCacheLinesOfTheirOwn) {
  EXPECT_EQ(alignof(metrics), 128U);
  EXPECT_EQ(sizeof(metrics) % 128, 0U);
}

// Under ThreadSanitizer this says that a snapshot does not race with its worker.
TEST(WorkerMetrics, AreReadWhileTheyAreWritten) {
  licit::worker_metrics<> m({.measure_polls = true});
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop) call_all(m);
  });
  std::uint64_t polls = 0;
  while (polls < 10000) {
    const licit::worker_snapshot seen = m.read();
    EXPECT_GE(seen.counts.polls, polls);
    polls = seen.counts.polls;
  }
  stop = true;
  worker.join();
  const licit::worker_snapshot last = m.read();
  EXPECT_EQ(last.counts.polls, last.counts.finished);
  EXPECT_EQ(last.poll_times->count(), last.counts.polls);
}

licit::scheduler_snapshot two_workers() {
  licit::scheduler_snapshot s;
  s.elapsed_ns = 1000;
  s.workers.resize(2);
  s.workers[0].counts.spawned = 10;
  s.workers[0].counts.finished = 4;
  s.workers[1].counts.threw = 1;
  s.workers[1].counts.cancelled = 2;
  s.workers[1].parked_ns = 700;
  s.workers[1].local_depth = 5;
  s.spawned_outside = 7;
  s.inject_depth = 9;
  return s;
}

TEST(SchedulerSnapshot, TotalsAndLiveTasks) {
  const licit::scheduler_snapshot s = two_workers();
  EXPECT_EQ(s.total().counts.spawned, 10U);
  EXPECT_EQ(s.total().counts.threw, 1U);
  EXPECT_EQ(s.total().parked_ns, 700U);
  EXPECT_EQ(s.total().local_depth, 5U);
  EXPECT_EQ(s.live_tasks(), 10U);
}

TEST(SchedulerSnapshot, ADifferenceIsOfCountsAndTimes) {
  licit::scheduler_snapshot later = two_workers();
  later.elapsed_ns = 5000;
  later.workers[0].counts.spawned = 25;
  later.workers[1].parked_ns = 650;  // an estimate that went back
  later.workers[1].local_depth = 1;
  later.spawned_outside = 8;
  later.inject_depth = 2;
  const licit::scheduler_snapshot between = later - two_workers();
  EXPECT_EQ(between.elapsed_ns, 4000U);
  EXPECT_EQ(between.workers[0].counts.spawned, 15U);
  EXPECT_EQ(between.workers[0].counts.finished, 0U);
  EXPECT_EQ(between.workers[1].parked_ns, 0U);
  EXPECT_EQ(between.workers[1].local_depth, 1U);
  EXPECT_EQ(between.spawned_outside, 1U);
  EXPECT_EQ(between.inject_depth, 2U);
}

TEST(SchedulerSnapshot, ADifferenceIsOfTheSameWorkers) {
  licit::scheduler_snapshot three = two_workers();
  three.workers.resize(3);
  try {
    (void)(three - two_workers());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "licit: a difference of snapshots of 3 and of 2 workers; both must be of one scheduler");
  }
}

}  // namespace
