/// Waiting for one another, and blocking work: for coroutines, which are suspended meanwhile, and for threads.
/// scheduler/sync.md has the guarantees.
///
///     auto [to, from] = licit::make_channel<int>(64);
///     const auto text = co_await licit::run_blocking(read_file, name);
#ifndef LICIT_SCHEDULER_SYNC_HPP
#define LICIT_SCHEDULER_SYNC_HPP

#include <licit/scheduler/sync/barrier.hpp>
#include <licit/scheduler/sync/blocking_pool.hpp>
#include <licit/scheduler/sync/channel.hpp>
#include <licit/scheduler/sync/event.hpp>
#include <licit/scheduler/sync/latch.hpp>
#include <licit/scheduler/sync/mutex.hpp>
#include <licit/scheduler/sync/oneshot.hpp>
#include <licit/scheduler/sync/semaphore.hpp>
#include <licit/scheduler/sync/shared_future.hpp>

#endif
