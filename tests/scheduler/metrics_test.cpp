// Metrics; the watchdog, which reads some of them; the names of tasks.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <dirent.h>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/schedulers.hpp"

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
  m.moved();
  m.forced_yield(&m);
  m.slot_hit();
  m.bound_queued(1);
  m.bound_poll();
  m.bound_dropped(0);
  m.overflowed(129);
  m.from_inject(32);
  m.search_begins();
  m.steal_tried();
  m.stole(1, 16);
  m.slot_stolen(1);
  m.woke(1);
  m.sent(1);
  m.half_begins(1, &m);
  m.half_ends(&m);
  m.join_waits(&m);
  m.join_resumes(&m);
  m.parks();
  m.wakes();
  m.driver_woke(false);
  m.timers_fired(7);
  m.driver_changes(true);
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
    if (count.name == "timers_fired") expected = 7;
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
  m.wakes();
  m.half_begins(1, &m);
  m.half_ends(&m);
  m.parks();
  EXPECT_EQ(m.read().counts.empty_wakes, 1U);  // half of a join is work, though no poll
}

TEST(WorkerMetrics, AWakeOfTheHolderOfTheDriverIsEarlyIfNoTimerIsDue) {
  metrics m;
  m.driver_woke(true);
  EXPECT_EQ(m.read().counts.driver_wakes, 1U);
  EXPECT_EQ(m.read().counts.driver_wakes_early, 0U);
  m.driver_woke(false);
  EXPECT_EQ(m.read().counts.driver_wakes, 2U);
  EXPECT_EQ(m.read().counts.driver_wakes_early, 1U);
  m.driver_woke(true);
  m.timers_fired(0);
  EXPECT_EQ(m.read().counts.driver_wakes_early, 2U) << "what seemed due was cancelled";
  m.timers_fired(0);
  EXPECT_EQ(m.read().counts.driver_wakes_early, 2U) << "of another look";
  m.driver_woke(true);
  m.timers_fired(1);
  EXPECT_EQ(m.read().counts.driver_wakes_early, 2U);
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

/// What the watchdog sees.
std::pair<std::uint64_t, std::string> seen(const metrics& m) {
  const licit::poll_progress now = m.progress();
  return {now.polls, now.task != nullptr ? now.task : "(none)"};
}

TEST(WorkerMetrics, AWatchdogSeesTheNameOfTheInnermostRun) {
  licit::parker<> token;
  metrics m({.watchdog = &token});
  using polls = std::pair<std::uint64_t, std::string>;
  EXPECT_EQ(seen(m), polls(0, "(none)"));
  m.poll_begins(&m, "outer");
  {
    const metrics::within first(m, &token, "inner");
    EXPECT_EQ(seen(m), polls(1, "inner"));
    {
      const metrics::within second(m, &held::time);
      EXPECT_EQ(seen(m), polls(1, "")) << "it has no name";
    }
    EXPECT_EQ(seen(m), polls(1, "inner"));
  }
  EXPECT_EQ(seen(m), polls(1, "outer"));
  m.half_begins(0, &token);
  EXPECT_EQ(seen(m), polls(1, "outer")) << "a half that a join of its own steals meanwhile";
  m.half_ends(&token);
  EXPECT_EQ(seen(m), polls(1, "outer"));
  m.poll_ends();
  EXPECT_EQ(seen(m), polls(1, "(none)"));
}

TEST(WorkerMetrics, AWatchdogSeesAStolenHalfOutsidePolls) {
  licit::parker<> token;
  metrics m({.watchdog = &token});
  using polls = std::pair<std::uint64_t, std::string>;
  for (std::uint64_t i = 1; i != 3; ++i) {
    m.half_begins(0, &m);
    EXPECT_EQ(seen(m), polls(i, "stolen half"));
    m.half_begins(0, &token);
    {
      const metrics::within task(m, &held::time, "task");
      EXPECT_EQ(seen(m), polls(i, "task"));
    }
    m.half_ends(&token);
    EXPECT_EQ(seen(m), polls(i, "stolen half"));
    m.half_ends(&m);
    EXPECT_EQ(seen(m), polls(i, "(none)"));
  }
  EXPECT_EQ(m.read().counts.polls, 0U);
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
  s.workers[1].counts.cancelled = 1;
  s.workers[1].counts.moved = 1;
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

namespace {

using licit::scheduler;
using licit::scheduler_options;
using licit_test::await;
using licit_test::gate;
using namespace std::chrono_literals;

/// What a watchdog has told.
class told {
 public:
  void operator()(const licit::stall& one) {
    const std::lock_guard lock(mutex_);
    all_.push_back(one);
  }
  [[nodiscard]] std::vector<licit::stall> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<licit::stall> all_;
};

TEST(Watchdog, TellsOfAPollThatLastsTooLong) {
  told heard;
  scheduler_options options{.workers = 2, .stall_after = 2ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  scheduler all(options);
  gate here;
  all.spawn_with({.worker = 1, .name = "stuck"}, [&] { here.pass(); }).detach();
  await([&] { return !heard.all().empty(); });
  await([&] { return all.metrics().workers[1].stalled_ns >= 2'000'000; });
  const auto snapshot = all.metrics();
  EXPECT_EQ(snapshot.workers[1].stalled_task, "stuck");
  EXPECT_EQ(snapshot.workers[0].stalled_ns, 0U);
  EXPECT_NE(text_table(snapshot).find("stalled, s"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(to_json(snapshot))["workers"][1]["stalled_task"], "stuck");
  std::this_thread::sleep_for(10ms);
  ASSERT_EQ(heard.all().size(), 1U) << "once for each poll";
  EXPECT_EQ(heard.all()[0].worker, 1U);
  EXPECT_EQ(heard.all()[0].task, "stuck");
  EXPECT_GE(heard.all()[0].lasted, 2ms);
  EXPECT_EQ(heard.all()[0].driver, std::nullopt) << "there is nothing to wait for";
  here.open();
  EXPECT_TRUE(all.shutdown().complete());
  EXPECT_EQ(all.metrics().total().stalled_ns, 0U);
}

TEST(Watchdog, ATaskWithoutANameHasNone) {
  told heard;
  scheduler_options options{.workers = 1, .stall_after = 1ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  scheduler all(options);
  for (int i = 0; i != 3; ++i) {
    all.spawn([&] { await([&] { return heard.all().size() == static_cast<std::size_t>(i) + 1; }); }).get();
  }
  for (const licit::stall& one : heard.all()) EXPECT_EQ(one.task, "");
}

TEST(Watchdog, NamesTheTaskThatRunsInPlace) {
  using body = std::function<licit::task<>(scheduler&, std::function<void()>)>;
  const body by_get = [](scheduler& all, std::function<void()> inner) -> licit::task<> {
    all.spawn_with({.name = "inner"}, std::move(inner)).get();
    co_return;
  };
  const body by_await = [](scheduler& all, std::function<void()> inner) -> licit::task<> {
    co_await all.spawn_with({.name = "inner"}, std::move(inner));
  };
  for (const body& outer : {by_get, by_await}) {
    scheduler all({.workers = 1, .stall_after = 2ms});
    gate inside;
    gate after;
    auto running = all.spawn_with({.name = "outer"}, [&]() -> licit::task<> {
      co_await outer(all, [&] { inside.pass(); });
      after.pass();
    });
    inside.await_arrivals(1);
    await([&] { return all.metrics().workers[0].stalled_ns != 0; });
    EXPECT_EQ(all.metrics().workers[0].stalled_task, "inner");
    EXPECT_EQ(all.metrics().workers[0].counts.polls, 1U) << "in place";
    inside.open();
    after.await_arrivals(1);
    EXPECT_EQ(all.metrics().workers[0].stalled_task, "outer");
    after.open();
    running.get();
  }
}

TEST(Watchdog, TellsOfAStolenHalfThatLastsTooLong) {
  told heard;
  scheduler_options options{.workers = 1, .stall_after = 2ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  scheduler all(options);
  for (std::size_t round = 1; round != 3; ++round) {
    gate here;
    const auto look = [&] {
      here.await_arrivals(1);
      await([&] { return heard.all().size() == round; });
      EXPECT_EQ(all.metrics().workers[0].stalled_task, "stolen half");
      here.open();
    };
    all.join(look, [&] { here.pass(); });
  }
  for (const licit::stall& one : heard.all()) EXPECT_EQ(one.task, "stolen half");
}

TEST(Watchdog, TellsOfAChunkThatLastsTooLong) {
  scheduler all({.workers = 1, .stall_after = 2ms});
  gate here;
  std::stop_source enough;
  std::thread looks([&] {
    here.await_arrivals(1);
    await([&] { return all.metrics().workers[0].stalled_ns != 0; });
    EXPECT_EQ(all.metrics().workers[0].stalled_task, "stolen half");
    enough.request_stop();
    here.open();
  });
  const auto self = std::this_thread::get_id();
  const auto body = [&](int /*i*/) {
    if (std::this_thread::get_id() != self) here.pass();
  };
  const licit::parallel_options until{.stop = enough.get_token()};
  EXPECT_THROW(all.enter([&] {
    for (;;) licit::parallel_for(0, 1'000'000, body, until);  // until the worker has stolen a part
  }),
               licit::parallel_stopped);
  looks.join();
}

TEST(Watchdog, ShortPollsAreNoStall) {
  told heard;
  scheduler_options options{.workers = 1, .stall_after = 10s};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  {
    scheduler all(options);
    for (int i = 0; i != 1000; ++i) all.spawn([] {}).get();
  }
  EXPECT_TRUE(heard.all().empty());
}

/// Sleeps of the thread of that name; nothing, if there is none or it has not named itself yet.
std::optional<std::uint64_t> sleeps_of(const std::string& name) {
  DIR* const all = opendir("/proc/self/task");
  std::optional<std::uint64_t> sum;
  while (const dirent* const entry = readdir(all)) {
    const std::string folder = std::string("/proc/self/task/") + entry->d_name;
    std::string its;
    std::ifstream comm(folder + "/comm");
    std::getline(comm, its);
    if (its != name) continue;
    sum = 0;
    std::ifstream status(folder + "/status");
    for (std::string line; std::getline(status, line);) {
      if (const auto at = line.find("ctxt_switches:"); at != std::string::npos)
        *sum += std::stoull(line.substr(at + 14));
    }
  }
  closedir(all);
  return sum;
}

TEST(Watchdog, SleepsWhileAllWorkersDo) {
  scheduler all({.workers = 2, .thread_name = "dog-", .stall_after = 1ms});
  await([] { return sleeps_of("dog-watch").has_value(); });
  for (int round = 0; round != 3; ++round) {
    all.spawn([] { std::this_thread::sleep_for(5ms); }).get();
    await([&] { return all.metrics().parked == 2; });
    bool sleeps = false;
    for (int tries = 0; tries != 100 && !sleeps; ++tries) {  // it may be about to sleep, for long on a busy machine
      const std::optional<std::uint64_t> before = sleeps_of("dog-watch");
      std::this_thread::sleep_for(50ms);
      sleeps = sleeps_of("dog-watch") == before;
    }
    EXPECT_TRUE(sleeps);
  }
}

TEST(Names, AreInTheTrace) {
  scheduler all({.workers = 1, .trace_events = 1024});
  all.spawn_with({.name = "parse \"x\""}, [] {}).get();
  all.spawn([] {}).get();
  all.spawn_with({.name = "twice"}, []() -> licit::task<> { co_await licit::yield_now(); }).get();
  EXPECT_TRUE(all.shutdown().complete());
  std::ostringstream text;
  all.write_trace(text);
  int parses = 0;
  int twice = 0;
  int unnamed = 0;
  const auto read = nlohmann::json::parse(text.str());
  for (const auto& event : read["traceEvents"]) {
    if (event["ph"] != "X") continue;
    parses += event["name"] == "parse \"x\"" ? 1 : 0;
    twice += event["name"] == "twice" ? 1 : 0;
    unnamed += event["name"] == "run" ? 1 : 0;
  }
  EXPECT_EQ(parses, 1);
  EXPECT_EQ(twice, 2);
  EXPECT_EQ(unnamed, 1);
}

}  // namespace
