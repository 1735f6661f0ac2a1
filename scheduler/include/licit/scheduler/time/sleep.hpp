/// Awaitables that let time pass: for a while, until a moment, again and again.
#ifndef LICIT_SCHEDULER_SLEEP_HPP
#define LICIT_SCHEDULER_SLEEP_HPP

#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <licit/scheduler/sync/sync_awaiter.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/time/timekeeper.hpp>

namespace licit::inline v0 {

namespace detail {

/// The timers of the task that this thread runs, or of the executor that it spawns at. Throws std::logic_error.
inline executor::timer_access timers_here() {
  const run_context& here = context_at_hand();
  executor::timer_access found;
  if (here.task != nullptr) found = here.task->home().timers_here();
  if (found.keeper == nullptr && here.current != nullptr) found = here.current->timers_here();
  if (found.keeper == nullptr) throw std::logic_error("licit: co_await sleep: the task's executor has no timers");
  return found;
}

/// A sleep as what sync_awaiter performs. The deadline is a moment, or a while from when it is first awaited.
class sleep_operation {
 public:
  static constexpr const char* what = "co_await sleep";
  using time_point = std::chrono::steady_clock::time_point;

  explicit sleep_operation(time_point until) noexcept : until_{until} {}
  explicit sleep_operation(std::chrono::nanoseconds most) noexcept : most_{most} {}

  /// In the thread, and the run, in which `begin` follows if it returns false. Throws.
  bool try_now() {
    in_ = timers_here();
    if (is_of_while()) return most_.count() <= 0;
    return until_ <= in_.keeper->now() && until_ != time_point::max();  // which never comes, also by a manual clock
  }
  bool hold() { return try_now(); }
  void undo() {}
  bool begin(waiter<>& who) {
    timekeeper& keeper = *in_.keeper;
    timer_.due_at(keeper.tick_of(is_of_while() ? end_of(most_, keeper.now()) : until_));
    const timer_start how = keeper.timers().set(in_.wheel, who, timer_);
    if (how == timer_start::waits) return false;  // `who` may be answered, and this gone
    closed_ = how == timer_start::closed;
    return true;
  }
  static bool cancel(waiter<>& who) { return timers<>::wheel::cancel(who); }
  void finish(ending /*how*/, answer got) const {
    if (closed_ || got == answer::closed) throw executor_closed("licit: co_await sleep: the scheduler has ended");
  }

 private:
  static constexpr std::chrono::nanoseconds none = std::chrono::nanoseconds::min();

  [[nodiscard]] bool is_of_while() const { return most_ != none; }
  static time_point end_of(std::chrono::nanoseconds most, time_point now) {
    return most < time_point::max() - now ? now + most : time_point::max();
  }

  std::chrono::nanoseconds most_{none};
  time_point until_;
  executor::timer_access in_;
  timers<>::timer timer_;
  bool closed_ = false;
};

}  // namespace detail

/// Lies in the frame of the coroutine that sleeps. Its destruction cancels the timer, and never waits for a worker.
using sleep_awaiter = detail::sync_awaiter<detail::sleep_operation>;

/// In a coroutine that was spawned or runs in `block_on`; throws std::logic_error elsewhere. `co_await sleep_for(5ms);`
/// suspends the task for at least that long, counted from the await. Deadlines are in milliseconds since the
/// scheduler's start, rounded up. Does not wait if the time is not positive. Throws executor_closed if the scheduler
/// has ended, which only a coroutine in `block_on` can see. O(1), allocates nothing.
template <class Rep, class Period>
[[nodiscard]] sleep_awaiter sleep_for(std::chrono::duration<Rep, Period> most) {
  return sleep_awaiter(detail::in_nanoseconds(most));
}
/// The same until a moment of the steady clock, or of the scheduler's manual clock. Does not wait if the moment is
/// over; never ends by itself for `time_point::max()`.
[[nodiscard]] inline sleep_awaiter sleep_until(std::chrono::steady_clock::time_point until) {
  return sleep_awaiter(until);
}

/// In a task, in `block_on`, or in a thread that has entered a scheduler. The time by that scheduler's clock. Throws
/// std::logic_error if the executor has no timers.
[[nodiscard]] inline std::chrono::steady_clock::time_point now_here() { return detail::timers_here().keeper->now(); }

/// For one coroutine: `co_await every.tick()` again and again. The period begins with the first tick, which waits for
/// one period; the others are due at its multiples, however long the coroutine takes between them.
class interval {
 public:
  /// Throws std::invalid_argument if the period is not positive.
  template <class Rep, class Period>
  explicit interval(std::chrono::duration<Rep, Period> period) : period_{detail::in_nanoseconds(period)} {
    if (period_.count() == 0) throw std::invalid_argument("licit: an interval's period must be positive");
  }

  /// Returns how many periods are over since the last tick: 1, or more if the coroutine came late; or 0 if another
  /// tick, which was begun before this one ended, has returned them. Throws as sleep_for.
  [[nodiscard]] auto tick() {
    if (!begun_) next_ = later(now_here(), 1);
    begun_ = true;
    return tick_awaiter(*this);
  }

 private:
  class tick_awaiter {
   public:
    explicit tick_awaiter(interval& of) : of_{&of}, sleep_{of.next_} {}
    [[nodiscard]] bool await_ready() { return sleep_.await_ready(); }
    template <class Promise>
    bool await_suspend(std::coroutine_handle<Promise> here) {
      return sleep_.await_suspend(here);
    }
    std::uint64_t await_resume() {
      sleep_.await_resume();
      return of_->passed();
    }

   private:
    interval* of_;
    sleep_awaiter sleep_;
  };

  [[nodiscard]] std::chrono::steady_clock::time_point later(std::chrono::steady_clock::time_point from,
                                                            std::uint64_t periods) const {
    const auto room = static_cast<std::uint64_t>((std::chrono::steady_clock::time_point::max() - from).count());
    const auto length = static_cast<std::uint64_t>(period_.count());
    if (periods > room / length) return std::chrono::steady_clock::time_point::max();
    return from + std::chrono::nanoseconds(static_cast<std::int64_t>(periods * length));
  }
  std::uint64_t passed() {
    const auto late = now_here() - next_;
    if (late.count() < 0) return 0;  // another tick has seen this one, or another clock is behind
    const std::uint64_t periods =
        1 + static_cast<std::uint64_t>(late.count()) / static_cast<std::uint64_t>(period_.count());
    next_ = later(next_, periods);
    return periods;
  }

  std::chrono::nanoseconds period_;
  std::chrono::steady_clock::time_point next_;
  bool begun_ = false;
};

}  // namespace licit::inline v0

#endif
