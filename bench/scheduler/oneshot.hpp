/// A channel for one message between two coroutines, of the benchmark's own: one allocation, one swap to send.
#ifndef LICIT_BENCH_SCHEDULER_ONESHOT_HPP
#define LICIT_BENCH_SCHEDULER_ONESHOT_HPP

#include <atomic>
#include <memory>
#include <utility>

#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/waker.hpp>

namespace licit_bench {

/// Either end has one. Both may be copied into the frames of coroutines.
class oneshot {
 public:
  /// Any thread, once. The waker is the sender's when the receiver waited.
  void send() const {
    if (shared_->state.exchange(sent, std::memory_order_acq_rel) == waits) std::exchange(shared_->who, {}).wake();
  }

  /// One coroutine: goes on when the message is there, or earlier: `while (!one.arrived()) co_await one.wait();`
  [[nodiscard]] bool arrived() const { return shared_->state.load(std::memory_order_acquire) == sent; }
  [[nodiscard]] auto wait() const {
    return licit::suspend_with([here = shared_.get()](licit::waker who) {
      if (here->state.load(std::memory_order_acquire) != nothing) return !is(here->state, sent);
      here->who = std::move(who);
      int expected = nothing;
      return here->state.compare_exchange_strong(expected, waits, std::memory_order_acq_rel);
    });
  }

 private:
  static constexpr int nothing = 0;
  static constexpr int waits = 1;
  static constexpr int sent = 2;

  struct shared {
    std::atomic<int> state = nothing;
    licit::waker who;
  };
  static bool is(const std::atomic<int>& state, int what) { return state.load(std::memory_order_acquire) == what; }

  std::shared_ptr<shared> shared_ = std::make_shared<shared>();
};

}  // namespace licit_bench

#endif
