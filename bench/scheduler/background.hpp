/// What keeps the workers busy while tasks come from outside.
#ifndef LICIT_BENCH_SCHEDULER_BACKGROUND_HPP
#define LICIT_BENCH_SCHEDULER_BACKGROUND_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler.hpp>

#include "scheduler/measured.hpp"

namespace licit_bench {

inline constexpr std::chrono::microseconds stall_time{10};

inline void stall() {
  const auto end = std::chrono::steady_clock::now() + stall_time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Tasks that run until this is told to stop, and are counted. It outlives the scheduler's shutdown.
class background {
 public:
  /// Coroutines that yield and stall, two for each worker.
  void yielding(licit::scheduler& all) {
    for (std::size_t i = 0; i != 2 * workers; ++i) (void)all.spawn(yield_and_stall(*this));
    tasks_.fetch_add(2 * workers, std::memory_order_relaxed);
  }
  /// Chains of tasks, one for each worker: each stalls, and spawns the next.
  void chained(licit::scheduler& all) {
    for (std::size_t i = 0; i != workers; ++i) link(all);
  }

  void stop() { on_.store(false, std::memory_order_relaxed); }
  /// After the shutdown: how many there were.
  [[nodiscard]] std::uint64_t tasks() const { return tasks_.load(std::memory_order_relaxed); }

 private:
  static licit::task<void> yield_and_stall(background& of) {
    while (of.on_.load(std::memory_order_relaxed)) {
      co_await licit::yield_now();
      stall();
    }
  }
  void link(licit::scheduler& all) {
    tasks_.fetch_add(1, std::memory_order_relaxed);
    all.spawn([this, &all] {
         if (!on_.load(std::memory_order_relaxed)) return;
         stall();
         link(all);
       })
        .detach();
  }

  std::atomic<bool> on_ = true;
  std::atomic<std::uint64_t> tasks_ = 0;
};

}  // namespace licit_bench

#endif
