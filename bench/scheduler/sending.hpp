/// Items through a bounded channel, from one task or several to one.
#ifndef LICIT_BENCH_SCHEDULER_SENDING_HPP
#define LICIT_BENCH_SCHEDULER_SENDING_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include <licit/scheduler.hpp>
#include <licit/scheduler/sync/channel.hpp>

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
}

}  // namespace licit_bench

#endif
