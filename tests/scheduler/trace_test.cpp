#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/census.hpp>
#include <licit/scheduler/crew.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/metrics/trace.hpp>
#include <licit/scheduler/worker.hpp>
#include <licit/scheduler/worker_tools.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/schedulers.hpp"

namespace {

using licit::trace_word;
using licit::traced;
using nlohmann::json;

/// Goes on by a microsecond at each look.
struct ticking {
  static inline std::uint64_t time = 0;
  static std::uint64_t now() noexcept { return time += 1000; }
};

using metrics = licit::worker_metrics<licit::native, ticking>;

json written(const licit::trace& of, std::uint64_t now) {
  std::ostringstream out;
  of.write_chrome_trace(out, now, "test");
  return json::parse(out.str());
}

/// Events of a kind and name, of one worker.
std::vector<json> events(const json& of, const std::string& ph, const std::string& name, unsigned worker = 0) {
  std::vector<json> found;
  for (const json& e : of["traceEvents"]) {
    if (e["ph"] == ph && e["name"] == name && e["tid"] == worker) found.push_back(e);
  }
  return found;
}

/// What is wrong with a trace: bars of a track that overlap, times before the origin or after the end, kinds that the
/// format does not have.
std::vector<std::string> complaints(const json& of) {
  std::vector<std::string> found;
  std::map<unsigned, std::vector<std::pair<double, double>>> bars;
  for (const json& e : of["traceEvents"]) {
    const std::string ph = e["ph"];
    if (ph == "M") continue;
    if (ph != "X" && ph != "i") found.push_back("of no known kind: " + e.dump());
    if (e["ts"].get<double>() < 0) found.push_back("before the origin: " + e.dump());
    if (ph == "X") {
      const double begin = e["ts"];
      if (e["dur"].get<double>() < 0) found.push_back("ends before it begins: " + e.dump());
      bars[e["tid"]].emplace_back(begin, begin + e["dur"].get<double>());
    }
  }
  // In the order of ends: what begins before another has ended contains it.
  for (const auto& [worker, track] : bars) {
    std::vector<std::pair<double, double>> outermost;
    for (const auto& bar : track) {
      while (!outermost.empty() && bar.first < outermost.back().first + 1e-6) outermost.pop_back();
      if (!outermost.empty() && bar.first < outermost.back().second - 1e-6)
        found.push_back("bars that overlap, of " + std::to_string(worker));
      outermost.push_back(bar);
    }
  }
  return found;
}

TEST(TraceRing, KeepsTheNewest) {
  licit::trace_ring<> ring(4);
  EXPECT_TRUE(ring.read().events.empty());
  for (std::uint64_t i = 1; i != 4; ++i) ring.record({i, i * 10});
  EXPECT_EQ(ring.read().events, (std::pmr::vector<licit::trace_event>{{1, 10}, {2, 20}, {3, 30}}));
  EXPECT_EQ(ring.read().overwritten, 0U);
  for (std::uint64_t i = 4; i != 8; ++i) ring.record({i, i * 10});
  EXPECT_EQ(ring.read().events, (std::pmr::vector<licit::trace_event>{{4, 40}, {5, 50}, {6, 60}, {7, 70}}));
  EXPECT_EQ(ring.read().overwritten, 3U);
  EXPECT_EQ(ring.capacity(), 4U);
}

// Events are what they were when they were written, in their order, and those that are gone are counted.
TEST(TraceRing, IsReadWhileItIsWritten) {
  licit::trace_ring<> ring(64);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (std::uint64_t i = 1; !stop; ++i) ring.record({i, ~i});
  });
  std::uint64_t newest = 0;
  std::uint64_t seen = 0;
  while (newest < 200000 || seen < 1000) {
    const licit::trace_ring<>::copy got = ring.read();
    for (std::size_t i = 0; i != got.events.size(); ++i) {
      ASSERT_EQ(got.events[i].time, got.overwritten + i + 1);
      ASSERT_EQ(got.events[i].what, ~got.events[i].time);
    }
    seen += got.events.size();
    ASSERT_GE(got.overwritten + got.events.size(), newest);
    newest = got.overwritten + got.events.size();
  }
  stop = true;
  writer.join();
  EXPECT_EQ(ring.read().events.size(), 64U);
}

TEST(TraceWord, GivesBackWhatItWasMadeOf) {
  const std::uint64_t number = trace_word::of_number(traced::steal, 0xFFFFFFFF, 0xABCDEF);
  EXPECT_EQ(trace_word::kind(number), traced::steal);
  EXPECT_EQ(trace_word::number(number), 0xFFFFFFFFU);
  EXPECT_EQ(trace_word::worker(number), 0xABCDEFU);
  const int task = 0;
  const std::uint64_t word = trace_word::of_task(traced::forced_yield, &task);
  EXPECT_EQ(trace_word::kind(word), traced::forced_yield);
  EXPECT_EQ(trace_word::task(word), reinterpret_cast<std::uintptr_t>(&task) & 0xFFFFFFFFFFFFFF);
}

TEST(ChromeTrace, ShowsRunsSleepsAndWhatHappened) {
  ticking::time = 5000000;
  licit::trace of(2, 100);
  EXPECT_EQ(of.of(0).capacity(), 128U);
  metrics m({.trace = &of.of(1)});
  m.parks();
  m.wakes();
  m.stole(0, 5);
  m.slot_stolen(0);
  m.from_inject(32);
  m.overflowed(129);
  m.poll_begins(&m);
  m.forced_yield(&m);
  m.poll_ends();
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "X", "parked", 1).size(), 1U);
  EXPECT_EQ(events(read, "X", "parked", 1)[0]["ts"], 0.0);
  EXPECT_EQ(events(read, "X", "parked", 1)[0]["dur"], 1.0);
  ASSERT_EQ(events(read, "X", "run", 1).size(), 1U);
  EXPECT_EQ(events(read, "X", "run", 1)[0]["dur"], 2.0);
  ASSERT_EQ(events(read, "i", "steal", 1).size(), 1U);
  EXPECT_EQ(events(read, "i", "steal", 1)[0]["args"], (json{{"items", 5}, {"from", 0}}));
  EXPECT_EQ(events(read, "i", "steal of a slot", 1).size(), 1U);
  EXPECT_EQ(events(read, "i", "from inject", 1)[0]["args"]["items"], 32);
  EXPECT_EQ(events(read, "i", "overflow", 1)[0]["args"]["items"], 129);
  EXPECT_EQ(events(read, "i", "forced yield", 1)[0]["args"]["task"], events(read, "X", "run", 1)[0]["args"]["task"]);
  EXPECT_EQ(events(read, "M", "thread_name", 0)[0]["args"]["name"], "worker 0");
  EXPECT_EQ(events(read, "M", "thread_name", 1)[0]["args"]["name"], "worker 1");
  EXPECT_EQ(read["otherData"]["overwritten"], 0);
}

TEST(ChromeTrace, ShowsWhoWokeWhom) {
  ticking::time = 0;
  licit::trace of(3, 8);
  metrics m({.trace = &of.of(0)});
  m.woke(2);
  m.sent(1);
  const json read = written(of, ticking::now());
  ASSERT_EQ(events(read, "i", "wakes").size(), 1U);
  EXPECT_EQ(events(read, "i", "wakes")[0]["args"], (json{{"worker", 2}}));
  ASSERT_EQ(events(read, "i", "sends").size(), 1U);
  EXPECT_EQ(events(read, "i", "sends")[0]["args"], (json{{"worker", 1}}));
}

TEST(ChromeTrace, ShowsTimersAndWhoHoldsTheDriver) {
  ticking::time = 0;
  licit::trace of(1, 16);
  metrics m({.trace = &of.of(0)});
  m.parks();
  m.driver_changes(true);
  m.wakes();
  m.timers_fired(0);
  m.timers_fired(3);
  m.driver_changes(false);
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "i", "takes the driver").size(), 1U);
  EXPECT_EQ(events(read, "i", "takes the driver")[0]["ts"], 1.0);
  EXPECT_EQ(events(read, "X", "parked")[0]["dur"], 2.0);
  ASSERT_EQ(events(read, "i", "fires timers").size(), 1U) << "none for a look that fired none";
  EXPECT_EQ(events(read, "i", "fires timers")[0]["args"], (json{{"items", 3}}));
  ASSERT_EQ(events(read, "i", "gives the driver away").size(), 1U);
  EXPECT_EQ(events(read, "i", "gives the driver away")[0]["ts"], 4.0);
}

TEST(ChromeTrace, AHalfOfAGuestComesFromNoTrack) {
  ticking::time = 0;
  licit::trace of(2, 32);
  metrics m({.trace = &of.of(0)});
  m.half_begins(2, &m);
  m.half_ends(&m);
  const json read = written(of, ticking::now());
  ASSERT_EQ(events(read, "X", "stolen half").size(), 1U);
  EXPECT_FALSE(events(read, "X", "stolen half")[0]["args"].contains("from"));
}

// Within a run a join waits for its stolen half, and the worker runs another half meanwhile.
TEST(ChromeTrace, HalvesAndWaitsLieWithinOneAnother) {
  ticking::time = 0;
  licit::trace of(4, 32);
  metrics m({.trace = &of.of(0)});
  const int stolen = 0;
  const int other = 0;
  m.poll_begins(&m, "sort");
  m.join_waits(&stolen);
  m.half_begins(3, &other, "merge");
  m.half_ends(&other);
  m.join_resumes(&stolen);
  m.poll_ends();
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "X", "sort").size(), 1U);
  ASSERT_EQ(events(read, "X", "wait").size(), 1U);
  ASSERT_EQ(events(read, "X", "merge").size(), 1U);
  const json half = events(read, "X", "merge")[0];
  const json wait = events(read, "X", "wait")[0];
  EXPECT_EQ(half["cat"], "half");
  EXPECT_EQ(half["args"]["from"], 3);
  EXPECT_EQ(half["ts"], 2.0);
  EXPECT_EQ(half["dur"], 1.0);
  EXPECT_EQ(wait["cat"], "wait");
  EXPECT_EQ(wait["dur"], 3.0);
  EXPECT_NE(wait["args"]["half"], half["args"]["half"]);
  EXPECT_EQ(events(read, "X", "sort")[0]["dur"], 5.0);
}

TEST(ChromeTrace, BarsOfWhichOnlyTheEndIsLeftBeginTogether) {
  ticking::time = 0;
  licit::trace of(1, 2);
  metrics m({.trace = &of.of(0)});
  const int half = 0;
  m.poll_begins(&m);
  m.half_begins(1, &half);
  m.half_ends(&half);
  m.poll_ends();  // the ring has the two ends
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "X", "stolen half").size(), 1U);
  EXPECT_EQ(events(read, "X", "stolen half")[0]["dur"], 0.0);
  ASSERT_EQ(events(read, "X", "run").size(), 1U);
  EXPECT_EQ(events(read, "X", "run")[0]["ts"], 0.0);
  EXPECT_EQ(events(read, "X", "run")[0]["dur"], 1.0);
}

TEST(ChromeTrace, ARunWithinAnotherIsABarWithinItsBar) {
  ticking::time = 0;
  licit::trace of(1, 32);
  metrics m({.trace = &of.of(0)});
  m.poll_begins(&m, "outer");
  {
    const metrics::within inner(m, &of, "inner");
  }
  m.poll_ends();
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "X", "outer").size(), 1U);
  EXPECT_EQ(events(read, "X", "outer")[0]["dur"], 3.0);
  ASSERT_EQ(events(read, "X", "inner").size(), 1U);
  EXPECT_EQ(events(read, "X", "inner")[0]["dur"], 1.0);
}

// The task that does not end is what one looks for.
TEST(ChromeTrace, WhatStillRunsIsShown) {
  licit::trace of(2, 8);
  ticking::time = 0;
  metrics runs({.trace = &of.of(0)});
  metrics sleeps({.trace = &of.of(1)});
  runs.poll_begins(&runs);
  sleeps.parks();
  const json read = written(of, 10000);
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  ASSERT_EQ(events(read, "X", "run").size(), 1U);
  EXPECT_EQ(events(read, "X", "run")[0]["dur"], 9.0);
  EXPECT_EQ(events(read, "X", "run")[0]["args"]["still"], true);
  ASSERT_EQ(events(read, "X", "parked", 1).size(), 1U);
  EXPECT_EQ(events(read, "X", "parked", 1)[0]["dur"], 8.0);
}

TEST(ChromeTrace, WhatIsOverwrittenIsCounted) {
  licit::trace of(1, 4);
  ticking::time = 0;
  metrics m({.trace = &of.of(0)});
  for (int i = 0; i != 4; ++i) {
    m.poll_begins(&m);
    m.poll_ends();
  }
  m.from_inject(1);  // the ring begins with the end of the third run
  const json read = written(of, ticking::now());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  EXPECT_EQ(read["otherData"]["overwritten"], 5);
  ASSERT_EQ(events(read, "i", "overwritten").size(), 1U);
  EXPECT_EQ(events(read, "i", "overwritten")[0]["args"]["events"], 5);
  ASSERT_EQ(events(read, "X", "run").size(), 2U);
  EXPECT_EQ(events(read, "X", "run")[0]["ts"], 0.0);
  EXPECT_EQ(events(read, "X", "run")[0]["dur"], 0.0);
}

TEST(ChromeTrace, OfNothingIsJsonToo) {
  EXPECT_EQ(complaints(written(licit::trace(0, 4), 0)), std::vector<std::string>{});
  EXPECT_EQ(events(written(licit::trace(1, 4), 7), "M", "thread_name").size(), 1U);
}

TEST(ChromeTrace, ANameMayHaveAnyCharacter) {
  std::ostringstream out;
  licit::trace(0, 4).write_chrome_trace(out, 0, "a\"\\\n");
  EXPECT_EQ(json::parse(out.str())["traceEvents"][0]["args"]["name"], "a\"\\\n");
}

// The check finds what is planted for it.
TEST(ChromeTrace, TheCheckFindsWhatIsWrong) {
  const json bar{{"ph", "X"}, {"ts", 1.0}, {"dur", 2.0}, {"tid", 0}};
  const json later{{"ph", "X"}, {"ts", 2.0}, {"dur", 2.0}, {"tid", 0}};
  json overlap{{"traceEvents", {bar, later}}};
  json early{{"traceEvents", {{{"ph", "i"}, {"ts", -1.0}}}}};
  json unknown{{"traceEvents", {{{"ph", "Q"}, {"ts", 1.0}}}}};
  json back{{"traceEvents", {{{"ph", "X"}, {"ts", 1.0}, {"dur", -2.0}, {"tid", 0}}}}};
  for (const json& bad : {overlap, early, unknown, back}) EXPECT_EQ(complaints(bad).size(), 1U) << bad;
}

TEST(ChromeTrace, IsWrittenWhileTheWorkersRun) {
  licit::trace of(2, 256);
  std::atomic<bool> stop{false};
  const auto work = [&](std::size_t worker) {
    licit::worker_metrics<> m({.trace = &of.of(worker)});
    while (!stop) {
      m.poll_begins(&m);
      m.poll_ends();
      m.stole(1 - worker, 1);
      m.parks();
      m.wakes();
    }
  };
  std::thread one(work, 0);
  std::thread other(work, 1);
  for (int i = 0; i != 50; ++i) EXPECT_EQ(complaints(written(of, licit::detail::steady_nanoseconds::now())).size(), 0U);
  stop = true;
  one.join();
  other.join();
}

struct job {
  job* next = nullptr;
};

}  // namespace

namespace licit::inline v0 {

template <>
struct inject_link<job*> {
  static job* get(job* item) noexcept { return item->next; }
  static void set(job* item, job* next) noexcept { item->next = next; }
};

}  // namespace licit::inline v0

namespace {

using licit::detail::census;
using licit::detail::worker_tools;
using one_worker = licit::detail::crew<job*>;

/// Work comes when the worker has ended its search and is about to sleep.
struct last_moment : worker_tools {
  last_moment(census<>& all, const licit::metrics_options& measured, one_worker& crew, job& late)
      : worker_tools{0, 1, 1, {}, measured, all}, crew_{crew}, late_{late} {}
  void going_to_sleep() {
    worker_tools::going_to_sleep();
    crew_.inject(&late_);
  }

 private:
  one_worker& crew_;
  job& late_;
};

TEST(Sleep, IsNotCountedOfAWorkerThatStaysUp) {
  licit::trace of(1, 32);
  census<> all(1);
  one_worker crew({.workers = 1});
  job late;
  last_moment tools(all, {.trace = &of.of(0)}, crew, late);
  licit::detail::worker<one_worker, last_moment> loop(crew, 0, {}, tools);
  loop.run([&](job* item) {
    EXPECT_EQ(item, &late);
    crew.stop();
  });
  const licit::worker_snapshot seen = tools.metrics.read();
  EXPECT_EQ(seen.parked_ns, 0U);
  EXPECT_EQ(seen.counts.parks, 0U);
  EXPECT_EQ(events(written(of, licit::detail::steady_nanoseconds::now()), "X", "parked").size(), 0U);
}

// One worker: it takes the driver to sleep, fires the timer, and gives the driver away before it runs the task.
TEST(Timers, AreInTheTraceOfASchedulerWithTheDriver) {
  licit::manual_clock clock;
  licit::scheduler by_hand({.workers = 1, .clock = &clock, .trace_events = 4096});
  licit::scheduler all({.workers = 1, .trace_events = 4096});
  const auto body = []() -> licit::task<> {
    for (int i = 0; i != 3; ++i) co_await licit::sleep_for(std::chrono::milliseconds(30));
  };
  all.spawn(body).get();
  auto driven = by_hand.spawn(body);
  clock.advance(std::chrono::seconds(1));
  driven.get();
  for (licit::scheduler* const each : {&all, &by_hand}) {
    EXPECT_TRUE(each->shutdown().complete());
    std::ostringstream text;
    each->write_trace(text);
    const json read = json::parse(text.str());
    EXPECT_EQ(complaints(read), std::vector<std::string>{});
    bool holds = false;
    std::uint64_t fired = 0;
    for (const json& e : read["traceEvents"]) {
      if (e["name"] == "takes the driver" || e["name"] == "gives the driver away") {
        EXPECT_NE(e["name"] == "takes the driver", holds) << "in turns";
        holds = !holds;
      }
      if (e["name"] == "fires timers") fired += e["args"]["items"].get<std::uint64_t>();
    }
    EXPECT_FALSE(holds);
    EXPECT_EQ(fired, each->metrics().total().counts.timers_fired);
    if (each == &by_hand) continue;  // the thread that advances the clock fires its timers
    EXPECT_GT(fired, 0U);
    EXPECT_GT(events(read, "i", "takes the driver").size(), 0U);
  }
}

/// Counts announcements, by the fence that each passes.
struct counts_announcements : licit::native {
  static inline int announced = 0;
  template <class Site>
  static void fence(Site site) {
    announced += Site::entry.site == "announce.fence" ? 1 : 0;
    licit::native::fence(site);
  }
};

TEST(ManyAtOnce, AreAnnouncedOnce) {
  using counted_crew = licit::detail::crew<job*, counts_announcements>;
  int& announced = counts_announcements::announced;
  std::vector<job> jobs(100);
  std::vector<job*> items;
  for (job& each : jobs) items.push_back(&each);
  counted_crew crew({.workers = 1});
  announced = 0;
  crew.inject_all(items);
  EXPECT_EQ(announced, 1) << "from outside";
  census<> all(1);
  worker_tools tools(0, 1, 1, {}, {}, all);
  licit::detail::worker<counted_crew, worker_tools> loop(crew, 0, {}, tools);
  std::size_t ran = 0;
  loop.run([&](job* /*item*/) {
    if (++ran == items.size()) {
      announced = 0;
      loop.run_all(items);
      EXPECT_EQ(announced, 1) << "by a worker";
    } else if (ran == 2 * items.size()) {
      crew.stop();
    }
  });
}

// The wake-up of a worker has the worker that woke it, if it was one.
TEST(WhoWokeWhom, IsInTheTraceOfAScheduler) {
  licit::scheduler all({.workers = 2, .trace_events = 4096});
  all.spawn([&] {
       while (!licit_test::asleep(all, 1)) std::this_thread::yield();
       auto first = licit::spawn([] {});   // into the slot
       auto second = licit::spawn([] {});  // the first goes to the queue, and is announced
       first.get();
       second.get();
     })
      .get();
  EXPECT_TRUE(all.shutdown().complete());
  std::ostringstream text;
  all.write_trace(text);
  const json read = json::parse(text.str());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  std::size_t wakes = 0;
  for (const json& e : read["traceEvents"]) {
    if (e["name"] != "wakes") continue;
    EXPECT_NE(e["tid"], e["args"]["worker"]) << "nobody wakes himself";
    ++wakes;
  }
  EXPECT_GE(wakes, 1U);
}

TEST(WhoWokeWhom, ASentTaskNamesItsWorker) {
  licit::scheduler all({.workers = 2, .trace_events = 4096});
  all.spawn_on(0, [&] { all.spawn_on(1, [] {}).get(); }).get();
  EXPECT_TRUE(all.shutdown().complete());
  std::ostringstream text;
  all.write_trace(text);
  const json read = json::parse(text.str());
  ASSERT_EQ(events(read, "i", "sends", 0).size(), 1U);
  EXPECT_EQ(events(read, "i", "sends", 0)[0]["args"]["worker"], 1);
}

// A thief's half and the wait for it name the same address; the half says from whom it comes.
TEST(Joins, AreInTheTraceOfAScheduler) {
  licit::scheduler all({.workers = 2, .trace_events = 4096});
  all.spawn_with({.name = "forks"},
                 [] {
                   std::atomic<bool> stolen = false;
                   licit::join(
                       [&] {
                         while (!stolen) std::this_thread::yield();
                       },
                       [&] { stolen = true; });
                 })
      .get();
  EXPECT_TRUE(all.shutdown().complete());
  std::ostringstream text;
  all.write_trace(text);
  const json read = json::parse(text.str());
  EXPECT_EQ(complaints(read), std::vector<std::string>{});
  std::vector<json> halves;
  std::vector<json> waits;
  for (const json& e : read["traceEvents"]) {
    if (e["ph"] == "X" && e["cat"] == "half") halves.push_back(e);
    if (e["ph"] == "X" && e["cat"] == "wait") waits.push_back(e);
  }
  ASSERT_EQ(halves.size(), 1U);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(halves[0]["args"]["half"], waits[0]["args"]["half"]);
  EXPECT_EQ(halves[0]["args"]["from"], waits[0]["tid"]);
  EXPECT_NE(halves[0]["tid"], waits[0]["tid"]);
}

}  // namespace
