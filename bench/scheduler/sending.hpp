/// Items through a bounded channel, from one task or several to one; and a mutex that nobody else wants.
#ifndef LICIT_BENCH_SCHEDULER_SENDING_HPP
#define LICIT_BENCH_SCHEDULER_SENDING_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include <licit/scheduler.hpp>
#include <licit/scheduler/sync/channel.hpp>
#include <licit/scheduler/sync/mutex.hpp>

#include <benchmark/benchmark.h>

#include "scheduler/measured.hpp"

namespace licit_bench {

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
