// A reactor behind which workers sleep, and what the watchdog says of its handlers.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/sync.hpp>
#include <licit/time.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "support/schedulers.hpp"

namespace {

using licit::scheduler;
using licit::scheduler_options;
using licit::task;
using licit_test::all_asleep;
using licit_test::await;
using licit_test::each_kind;
using namespace std::chrono_literals;

/// Handlers that other threads make ready.
class queue_of_handlers final : public licit::reactor {
 public:
  std::size_t poll() override {
    EXPECT_FALSE(inside_.exchange(true)) << "two workers are in the reactor";
    const std::size_t ran = run();
    inside_ = false;
    return ran;
  }
  void wait(std::optional<time_point> deadline) override {
    EXPECT_FALSE(inside_.exchange(true)) << "two workers are in the reactor";
    {
      std::unique_lock lock(mutex_);
      const auto something = [this] { return interrupted_ || !ready_.empty(); };
      ++waiting_;
      if (deadline) {
        (void)change_.wait_until(lock, *deadline, something);
      } else {
        change_.wait(lock, something);
      }
      --waiting_;
      interrupted_ = false;
    }
    (void)run();
    inside_ = false;
  }
  void interrupt() noexcept override {
    const std::lock_guard lock(mutex_);
    interrupted_ = true;
    change_.notify_all();
  }

  void add(std::function<void()> handler) {
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(handler));
    change_.notify_all();
  }
  [[nodiscard]] int waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  std::size_t run() {
    std::vector<std::function<void()>> ready;
    {
      const std::lock_guard lock(mutex_);
      ready.swap(ready_);
    }
    for (const auto& each : ready) each();
    return ready.size();
  }

  std::mutex mutex_;
  std::condition_variable change_;
  std::vector<std::function<void()>> ready_;
  bool interrupted_ = false;
  int waiting_ = 0;
  std::atomic<bool> inside_ = false;
};

TEST(Reactor, OneSleepingWorkerIsAlwaysInIt) {
  each_kind({1, 2, 4}, [](const scheduler_options& kind) {
    queue_of_handlers outside;
    scheduler_options options = kind;
    options.reactor = &outside;
    scheduler all(options);
    await([&] { return outside.waiting() == 1; });
    for (int i = 0; i != 200; ++i) {
      all.spawn([] {}).get();  // wakes somebody, perhaps the one in the reactor
      if (i % 10 == 0) await([&] { return outside.waiting() == 1 && all_asleep(all); });
    }
  });
}

/// An interruption ends one wait: a second driver would miss its own.
TEST(Reactor, HasOneDriver) {
  queue_of_handlers outside;
  {
    scheduler first{{.workers = 1, .reactor = &outside}};
    EXPECT_THROW((scheduler{{.workers = 1, .reactor = &outside}}), std::logic_error);
    first.spawn([] {}).get();
  }
  scheduler next{{.workers = 1, .reactor = &outside}};  // the first has ended
  next.spawn([] {}).get();
}

/// A task that a handler spawns after all others have ended: it runs or is cancelled, and is counted.
TEST(Reactor, HandlersThatSpawnBesideAShutdownAreCounted) {
  each_kind({1, 2}, [](const scheduler_options& kind) {
    const int trials = static_cast<int>(10 * licit_test::scale);
    for (int i = 0; i != trials; ++i) {
      queue_of_handlers outside;
      scheduler_options options = kind;
      options.reactor = &outside;
      std::atomic<int> spawned = 0;
      std::atomic<int> ended = 0;
      {
        scheduler all(options);
        for (int n = 0; n != 50; ++n) {
          outside.add([&] {
            try {
              all.spawn([&, counts = std::shared_ptr<void>(nullptr, [&](void*) { ++ended; })] {}).detach();
              ++spawned;
            } catch (const licit::executor_closed&) {
            }
          });
        }
        if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i * 7 % 100));
        const auto report = all.shutdown(i % 3 == 0 ? licit::shutdown_kind::cancel : licit::shutdown_kind::drain);
        EXPECT_TRUE(report.complete());
      }
      EXPECT_GE(ended, spawned);
    }
  });
}

TEST(Reactor, HandlersSpawnAndWake) {
  each_kind({1, 2, 4}, [](const scheduler_options& kind) {
    queue_of_handlers outside;
    scheduler_options options = kind;
    options.reactor = &outside;
    scheduler all(options);
    const int number = static_cast<int>(25 * licit_test::scale);
    std::atomic<int> ran = 0;
    for (int i = 0; i != number; ++i) {
      const auto done = std::make_shared<licit::event>();  // `set` may not have returned when the wait has
      outside.add([&all, &ran, done] {
        all.spawn([&ran] { ++ran; }).detach();
        done->set();
      });
      if (i % 3 == 0) all.spawn([](licit::event& e) -> task<> { co_await e.wait(); }(*done)).get();
      done->blocking_wait();
    }
    await([&] { return ran == number; });
  });
}

TEST(Reactor, SleepsEndInIt) {
  queue_of_handlers outside;
  scheduler all{{.workers = 2, .reactor = &outside}};
  for (int i = 0; i != 20; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    all.spawn([]() -> task<> { co_await licit::sleep_for(1ms); }).get();
    EXPECT_GE(std::chrono::steady_clock::now() - begun, 1ms);
  }
}

TEST(Reactor, IsNotStarvedByALongTask) {
  for (const std::size_t workers : {2, 4}) {
    queue_of_handlers outside;
    licit::event done;  // `set` may not have returned when the wait has: it is there until the workers have ended
    scheduler all{{.workers = workers, .reactor = &outside}};
    licit_test::gate stands;
    auto blocks = all.spawn([&] { stands.pass(); });
    stands.await_arrivals(1);
    outside.add([&] { done.set(); });
    done.blocking_wait();  // another worker has taken the driver over
    stands.open();
    blocks.get();
  }
}

/// What a watchdog has told: whether there is a stall of that worker, in that task, while that worker holds the driver.
class told {
 public:
  void operator()(const licit::stall& one) {
    const std::lock_guard lock(mutex_);
    all_.push_back(one);
  }
  [[nodiscard]] bool of(std::size_t worker, const std::string& name, std::size_t driver) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(
        all_, [&](const auto& one) { return one.worker == worker && one.task == name && one.driver == driver; });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<licit::stall> all_;
};

TEST(Watchdog, FindsAHandlerThatBlocksAPollOfTheReactor) {
  queue_of_handlers outside;
  told heard;
  licit_test::gate stands;
  scheduler_options options{.workers = 1, .reactor = &outside, .stall_after = 1ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  std::atomic<bool> begun = false;
  std::atomic<bool> stop = false;
  scheduler all(options);
  auto busy = all.spawn_with({.name = "busy"}, [&]() -> task<> {
    for (begun = true; !stop;) co_await licit::yield_now();
  });
  await([&] { return begun.load(); });
  outside.add([&] { stands.pass(); });
  stands.await_arrivals(1);
  await([&] { return heard.of(0, "", 0); });
  await([&] { return all.metrics().workers[0].stalled_ns >= 1'000'000; });
  EXPECT_EQ(all.metrics().workers[0].stalled_task, "");
  EXPECT_EQ(all.metrics().driver, 0U);
  stop = true;
  stands.open();
  busy.get();
  await([&] { return all.metrics().workers[0].stalled_ns == 0; });
}

TEST(Watchdog, SaysWhoHoldsTheDriverAndFindsAHandlerThatBlocksAWaitWhenItsWorkerIsWoken) {
  queue_of_handlers outside;
  told heard;
  licit_test::gate stuck;
  licit_test::gate stands;
  scheduler_options options{.workers = 2, .reactor = &outside, .stall_after = 1ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  scheduler all(options);
  await([&] { return outside.waiting() == 1 && all_asleep(all); });
  const std::size_t holder = all.metrics().driver.value();
  const std::size_t other = 1 - holder;
  all.spawn_with({.worker = other, .name = "stuck"}, [&] { stuck.pass(); }).detach();
  stuck.await_arrivals(1);
  await([&] { return heard.of(other, "stuck", holder); });
  outside.add([&] { stands.pass(); });
  stands.await_arrivals(1);
  EXPECT_EQ(all.metrics().workers[holder].stalled_ns, 0U) << "as long as nobody has woken it";
  auto waits = all.spawn([] {});
  await([&] { return heard.of(holder, "", holder); });
  EXPECT_FALSE(waits.done());
  stands.open();
  waits.get();
  stuck.open();
}

/// The worker was woken for a task that another has run, and has not slept since.
TEST(Watchdog, AHandlerThatHasEndedIsNoStallOfAWorkerThatHasEnded) {
  queue_of_handlers outside;
  told heard;
  scheduler_options options{.workers = 2, .reactor = &outside, .stall_after = 1ms};
  options.on_stall = [&](const licit::stall& one) { heard(one); };
  licit_test::gate stands;
  std::atomic<std::size_t> holder = 2;
  options.on_thread_stop = [&](std::size_t worker) {
    if (worker != holder) stands.open();
  };
  scheduler all(options);
  await([&] { return outside.waiting() == 1 && all_asleep(all); });
  holder = all.metrics().driver.value();
  licit_test::gate busy;
  auto keeps_busy = all.spawn_with({.worker = 1 - holder}, [&] { busy.pass(); });
  busy.await_arrivals(1);
  outside.add([&] { stands.pass(); });
  stands.await_arrivals(1);
  auto other = all.spawn([] {});
  await([&] { return heard.of(holder, "", holder); });
  busy.open();
  keeps_busy.get();
  other.get();
  (void)all.shutdown(licit::shutdown_kind::drain);
  EXPECT_EQ(all.metrics().workers[holder].stalled_ns, 0U);
  EXPECT_EQ(all.metrics().driver, std::nullopt);
}

TEST(Reactor, IsPolledByABusyWorker) {
  queue_of_handlers outside;
  scheduler all{{.workers = 1, .reactor = &outside}};
  std::atomic<bool> stop = false;
  auto busy = all.spawn([&]() -> task<> {
    while (!stop) co_await licit::yield_now();
  });
  outside.add([&] { stop = true; });
  busy.get();
}

}  // namespace
