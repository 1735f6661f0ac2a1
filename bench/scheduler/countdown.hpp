/// A thread that waits until so many things have been done: what Tokio's benchmarks use a counter and a channel for.
#ifndef LICIT_BENCH_SCHEDULER_COUNTDOWN_HPP
#define LICIT_BENCH_SCHEDULER_COUNTDOWN_HPP

#include <atomic>
#include <cstdint>

namespace licit_bench {

/// Used again and again by one waiter. Sleeps on a futex, woken once, by the last.
class countdown {
 public:
  void begin(std::uint32_t number) {
    left_.store(number, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
  }
  void done() {
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    done_.store(1, std::memory_order_release);
    done_.notify_one();
  }
  void wait() const { done_.wait(0, std::memory_order_acquire); }

 private:
  alignas(128) std::atomic<std::uint32_t> left_ = 0;
  alignas(128) std::atomic<std::uint32_t> done_ = 0;
};

}  // namespace licit_bench

#endif
