/// Coroutines that go on and on: by yielding, by waking one another, with items through a bounded channel, and with a
/// mutex that nobody else wants.
#ifndef LICIT_BENCH_SCHEDULER_TALKING_HPP
#define LICIT_BENCH_SCHEDULER_TALKING_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <licit/scheduler.hpp>
#include <licit/scheduler/sync/channel.hpp>
#include <licit/scheduler/sync/mutex.hpp>
#include <licit/scheduler/task/suspend.hpp>
#include <licit/scheduler/task/task.hpp>
#include <licit/scheduler/task/waker.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"

namespace licit_bench {

/// A channel for one message between two coroutines, of the benchmark's own: one allocation, one swap to send.
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

inline constexpr std::uint32_t yielders = 200;
inline constexpr std::uint32_t yields = 1'000;
inline constexpr std::uint32_t pairs = 1'000;

inline licit::task<void> yielder(countdown& all_done) {
  for (std::uint32_t i = 0; i != yields; ++i) co_await licit::yield_now();
  all_done.done();
}

/// Spawned from outside; a message each at the end.
inline void yield_many(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, yielders, [&](licit::scheduler& all) {
    all_done.begin(yielders);
    for (std::uint32_t i = 0; i != yielders; ++i) all.spawn(yielder(all_done)).detach();
    all_done.wait();
  });
}

inline licit::task<void> pong(oneshot ping, oneshot back) {
  while (!ping.arrived()) co_await ping.wait();
  back.send();
}

inline licit::task<void> ping(countdown& all_done) {
  const oneshot there;
  const oneshot back;
  licit::spawn(pong(there, back)).detach();
  there.send();
  while (!back.arrived()) co_await back.wait();
  all_done.done();
}

/// A task spawns 1,000 that each spawn a partner, send it a message, and await its answer.
inline void ping_pong(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  measure(state, options, 2 * pairs + 1, [&](licit::scheduler& all) {
    all_done.begin(pairs);
    all.spawn([&all_done] {
         for (std::uint32_t i = 0; i != pairs; ++i) licit::spawn(ping(all_done)).detach();
       })
        .detach();
    all_done.wait();
  });
}

inline constexpr std::uint32_t items_sent = 200'000;
inline constexpr std::size_t channel_capacity = 1'024;

inline licit::task<> sends(licit::channel_sender<std::uint64_t> to, std::uint32_t number) {
  for (std::uint32_t i = 0; i != number; ++i) (void)co_await to.send(1);
}
inline licit::task<> receives(licit::channel_receiver<std::uint64_t> from, countdown& all_done, std::uint64_t& sum) {
  while (const auto item = co_await from.receive()) sum += *item;
  all_done.done();
}

inline void channel(benchmark::State& state, const licit::scheduler_options& options, std::uint32_t senders) {
  countdown all_done;
  std::uint64_t sum = 0;
  measure(state, options, senders + 1, [&](licit::scheduler& all) {
    all_done.begin(1);
    sum = 0;
    auto [to, from] = licit::make_channel<std::uint64_t>(channel_capacity);
    all.spawn(receives(std::move(from), all_done, sum)).detach();
    for (std::uint32_t i = 1; i != senders; ++i) all.spawn(sends(to, items_sent / senders)).detach();
    all.spawn(sends(std::move(to), items_sent / senders)).detach();
    all_done.wait();
    if (sum != items_sent) state.SkipWithError("items were lost or received twice");
  });
  count_items(state, items_sent);
}

inline constexpr std::uint32_t locks = 100'000;

/// One task locks a mutex and unlocks it, 100,000 times.
inline void uncontended_mutex(benchmark::State& state, const licit::scheduler_options& options) {
  countdown all_done;
  std::uint64_t sum = 0;
  measure(state, options, 1, [&](licit::scheduler& all) {
    all_done.begin(1);
    sum = 0;
    all.spawn([](countdown& done, std::uint64_t& guarded) -> licit::task<> {
         licit::mutex lock;
         for (std::uint32_t i = 0; i != locks; ++i) {
           const licit::mutex_guard held = co_await lock.lock();
           ++guarded;
         }
         done.done();
       }(all_done, sum))
        .detach();
    all_done.wait();
    if (sum != locks) state.SkipWithError("the mutex was not locked as often as asked");
  });
  count_items(state, locks);
}

}  // namespace licit_bench

#endif
