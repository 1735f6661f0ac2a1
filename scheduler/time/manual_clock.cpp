// A clock that stands still until it is told to move.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>

#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/time/manual_clock.hpp>
#include <licit/scheduler/time/timekeeper.hpp>

namespace licit::inline v0 {

void manual_clock::add(follower& one) {
  const std::lock_guard lock(one_at_a_time_);
  followers_.push_back(&one);
}

void manual_clock::remove(const follower& one) {
  const std::lock_guard lock(one_at_a_time_);
  std::erase(followers_, &one);
}

namespace {

/// Whether this thread is a worker that would have to sleep before the clock moves.
bool is_followed_here(const manual_clock& clock) {
  executor* const here = this_context().worker_of;
  const detail::timekeeper* const keeper = here != nullptr ? here->timers_here().keeper : nullptr;
  return keeper != nullptr && keeper->is_by(clock);
}

}  // namespace

void manual_clock::advance_by(std::chrono::nanoseconds most) {
  if (is_followed_here(*this)) {
    throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                            "licit: advance of a manual clock in a worker that follows it, and would have to sleep");
  }
  const std::lock_guard lock(one_at_a_time_);
  const time_point begun = now();
  const auto room = time_point::max() - begun;
  const time_point end = begun + std::min<std::chrono::nanoseconds>(most, room);
  for (;;) {
    settle();
    time_point next = time_point::max();
    for (const follower* const each : followers_) next = std::min(next, each->next().value_or(time_point::max()));
    const time_point to = std::max(now(), std::min(next, end));
    now_ = to;
    for (follower* const each : followers_) each->fire();
    if (next > end || to == time_point::max()) break;
  }
  settle();
}

void manual_clock::settle() const {
  constexpr int yields = 1000;
  for (int pauses = 0; !all_rest();) {
    ++pauses < yields ? std::this_thread::yield() : std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

/// All at the same time: one that rests may be woken by another that is asked after it.
bool manual_clock::all_rest() const {
  std::uint64_t before = 0;
  for (const follower* const each : followers_) {
    before += each->wakes();  // first
    if (!each->rests()) return false;
  }
  std::uint64_t after = 0;
  for (const follower* const each : followers_) {
    if (!each->rests()) return false;
    after += each->wakes();
  }
  return after == before;
}

}  // namespace licit::inline v0
