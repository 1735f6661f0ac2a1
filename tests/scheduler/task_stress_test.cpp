// Tasks on threads: exact accounting while they are woken, stopped, awaited and let go.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <licit/scheduler/task/block_on.hpp>
#include <licit/scheduler/task/spawn.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task_registry.hpp>
#include <licit/scheduler/task/yield.hpp>

#include <gtest/gtest.h>

#include "support/hand_executor.hpp"

namespace {

using licit::join_handle;
using licit::spawn;
using licit::task;
using licit::waker;
using licit_test::thread_executor;

/// A value that one task sends to another.
class oneshot {
 public:
  void send(int v) {
    waker w;
    {
      const std::lock_guard lock(mutex_);
      value_ = v;
      w = std::move(waiting_);
    }
    w.wake();
  }
  task<int> receive() {
    for (;;) {
      int got = 0;
      co_await licit::suspend_with([&](waker w) {
        const std::lock_guard lock(mutex_);
        got = value_;
        if (got == 0) waiting_ = std::move(w);
        return got == 0;
      });
      if (got != 0) co_return got;
    }
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
  waker waiting_;
};

task<int> ping_pong(int rounds) {
  int sum = 0;
  for (int i = 1; i <= rounds; ++i) {
    auto there = std::make_shared<oneshot>();
    auto back = std::make_shared<oneshot>();
    auto partner = spawn([](auto in, auto out) -> task<> { out->send(co_await in->receive() + 1); }(there, back));
    there->send(i);
    sum += co_await back->receive() - i;
    co_await partner;
  }
  co_return sum;
}

TEST(TaskStress, PartnersExchangeMessages) {
  thread_executor e(2);
  std::vector<join_handle<int>> all;
  for (int i = 0; i != 20; ++i) all.push_back(spawn(e, ping_pong(50)));
  for (auto& h : all) EXPECT_EQ(h.get(), 50);
}

/// Counts what is alive.
struct counted {
  explicit counted(std::atomic<int>& alive) : alive{&alive} { ++alive; }
  counted(counted&& o) noexcept : alive{std::exchange(o.alive, nullptr)} {}
  ~counted() {
    if (alive != nullptr) --*alive;
  }
  std::atomic<int>* alive;
};

task<int> wanders(counted /*held*/, unsigned kind) {
  for (unsigned i = 0; i != kind % 7; ++i) co_await licit::yield_now();
  if (kind % 5 == 0) throw kind;
  if (kind % 3 == 0) co_return co_await spawn([] { return 1; });
  co_return 1;
}

// Every task ends in one of three ways, and nothing is left of any.
TEST(TaskStress, EveryTaskIsAccountedFor) {
  std::atomic<int> alive = 0;
  int values = 0;
  int exceptions = 0;
  int cancelled = 0;
  int dropped = 0;
  constexpr int tasks = 4000;
  {
    licit_test::task_registry registry{licit::default_memory()};
    thread_executor e(2);
    e.registry = &registry;
    std::minstd_rand random(2026);
    std::vector<join_handle<int>> handles;
    for (int i = 0; i != tasks; ++i) {
      const auto kind = static_cast<unsigned>(random());
      auto h = spawn(e, wanders(counted(alive), kind));
      if (kind % 11 == 0) h.request_stop();
      if (kind % 13 == 0) {
        h.detach();
        ++dropped;
      } else {
        handles.push_back(std::move(h));
      }
    }
    for (auto& h : handles) {
      try {
        values += h.get();
      } catch (unsigned) {
        ++exceptions;
      } catch (const licit::task_cancelled&) {
        ++cancelled;
      }
    }
    registry.cancel_all();
  }
  EXPECT_EQ(values + exceptions + cancelled + dropped, tasks);
  EXPECT_EQ(alive, 0);
  EXPECT_GT(values, 0);
  EXPECT_GT(exceptions, 0);
}

// A handle that is dropped while its task throws: reported once, by one of the two.
TEST(TaskStress, EachExceptionIsReportedOnce) {
  constexpr int tasks = 3000;
  thread_executor e(2);
  std::vector<join_handle<void>> kept;
  for (int i = 0; i != tasks; ++i) {
    auto h = spawn(e, [] { throw 1; });
    if (i % 2 == 0) kept.push_back(std::move(h));
  }
  for (auto& h : kept) {
    while (!h.done()) std::this_thread::yield();
  }
  kept.clear();
  auto last = spawn(e, [] {});
  last.get();
  while (e.reported() != tasks) std::this_thread::yield();
  EXPECT_EQ(e.reported(), tasks);
}

// Many wakers of one task, while it runs and while it does not.
TEST(TaskStress, NoWakeIsLost) {
  constexpr int wakes = 3000;
  std::atomic<int> posted = 0;
  std::mutex mutex;
  waker who;
  thread_executor e(2);
  auto counts = spawn(e, [](auto& count, auto& lock, auto& to) -> task<> {
    int seen = 0;
    while (seen != wakes) {
      co_await licit::suspend_with([&](waker w) {
        const std::lock_guard guard(lock);
        to = std::move(w);
        seen = count;
        return seen != wakes;
      });
      seen = count;
    }
  }(posted, mutex, who));
  for (int i = 0; i != wakes; ++i) {
    spawn(e, [&] {
      waker w;
      {
        const std::lock_guard guard(mutex);
        ++posted;
        w = who;
      }
      w.wake();
    });
  }
  counts.get();
}

}  // namespace
