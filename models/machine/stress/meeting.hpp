/// A barrier for threads that come soon: they look a while before they sleep.
#ifndef LICIT_MODELS_STRESS_MEETING_HPP
#define LICIT_MODELS_STRESS_MEETING_HPP

#include <atomic>
#include <cstdint>

#include <licit/deque/futex.hpp>

namespace licit::stress {

class meeting {
 public:
  explicit meeting(unsigned threads) : threads_{threads} {}

  /// Returns when all threads have come. What they did before happens-before what they do after.
  void come() {
    const std::uint32_t now = round_.load(std::memory_order_acquire);
    if (come_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      come_.store(0, std::memory_order_relaxed);
      // Each side writes one word by a read-modify-write and then looks at the other: a sleeper is seen, or sees.
      round_.fetch_add(1, std::memory_order_seq_cst);
      if (asleep_.fetch_add(0, std::memory_order_seq_cst) != 0) futex_wake_all(round_);
      return;
    }
    for (unsigned looks = 0; looks != patience; ++looks) {
      if (round_.load(std::memory_order_acquire) != now) return;
    }
    sleep(now);
  }

 private:
  // Some microseconds. A thread that slept is soon let run again even by a busy machine, one that yielded is not.
  static constexpr unsigned patience = 4'000;

  void sleep(std::uint32_t now) {
    asleep_.fetch_add(1, std::memory_order_seq_cst);
    while (round_.load(std::memory_order_acquire) == now) futex_wait(round_, now);
    asleep_.fetch_sub(1, std::memory_order_relaxed);
  }

  const unsigned threads_;
  alignas(64) std::atomic<unsigned> come_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<unsigned> asleep_{0};
};

}  // namespace licit::stress

#endif
