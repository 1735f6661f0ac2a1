/// Store buffering: each of two threads writes, and reads what the other writes. Both may miss it, or may not.
#ifndef LICIT_TESTS_SUPPORT_STORE_BUFFERING_HPP
#define LICIT_TESTS_SUPPORT_STORE_BUFFERING_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>

namespace licit_test {

/// Two threads, cell by cell of a row, again and again. A side is called as (mine, other's, round), writes the round to
/// its own and returns what it reads of the other's.
template <std::size_t Cells, class Left, class Right>
class store_buffering {
 public:
  store_buffering(Left left, Right right) : left_{std::move(left)}, right_{std::move(right)} {}

  /// Cells that both sides missed, in so many rounds; no rounds after one with such cells if `stop_at_first`.
  long both_missed(long rounds, bool stop_at_first) {
    std::thread right([&] {
      for (long i = 1; i <= rounds && !over_; ++i) {
        meet(right_at_, left_at_, i);
        for (cell& c : cells_) c.right_saw = right_(c.y, c.x, i);
        meet(right_done_, left_done_, i);
      }
    });
    long missed = 0;
    for (long i = 1; i <= rounds && !over_; ++i) {
      meet(left_at_, right_at_, i);
      for (cell& c : cells_) c.left_saw = left_(c.x, c.y, i);
      wait_for(right_done_, i);
      for (const cell& c : cells_) missed += c.left_saw < i && c.right_saw < i ? 1 : 0;
      over_ = missed != 0 && stop_at_first;
      left_done_.store(i, std::memory_order_release);
    }
    right.join();
    return missed;
  }

 private:
  struct cell {
    alignas(128) std::atomic<long> x{0};
    alignas(128) std::atomic<long> y{0};
    alignas(128) long left_saw = 0;
    alignas(128) long right_saw = 0;
  };

  static void wait_for(const std::atomic<long>& other, long round) {
    for (unsigned spins = 1; other.load(std::memory_order_acquire) < round; ++spins) {
      if (spins % 4096 == 0) std::this_thread::yield();  // the other may have no processor
    }
  }
  /// The right side says that it is done before it waits, so the left one's books are not written while it reads.
  static void meet(std::atomic<long>& mine, const std::atomic<long>& others, long round) {
    mine.store(round, std::memory_order_release);
    wait_for(others, round);
  }

  Left left_;
  Right right_;
  std::array<cell, Cells> cells_;
  alignas(128) std::atomic<long> left_at_{0};
  alignas(128) std::atomic<long> right_at_{0};
  alignas(128) std::atomic<long> left_done_{0};
  alignas(128) std::atomic<long> right_done_{0};
  bool over_ = false;  // the left thread's; the right one reads it after left_done_
};

}  // namespace licit_test

#endif
