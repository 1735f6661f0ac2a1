/// A clock that stands still until it is told to move: for tests of timeouts, which then take no time.
#ifndef LICIT_SCHEDULER_MANUAL_CLOCK_HPP
#define LICIT_SCHEDULER_MANUAL_CLOCK_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <licit/scheduler/clock.hpp>

namespace licit::inline v0 {

/// For `scheduler_options::clock`; several schedulers may share one. It must outlive them. Sleeps and timeouts of their
/// coroutines, and of those that `block_on` runs, go by it. A thread that blocks with a time limit goes by the
/// machine's clock.
class manual_clock {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Begins at the epoch, or later.
  explicit manual_clock(time_point start = time_point()) noexcept : now_{std::max(start, time_point())} {}
  manual_clock(const manual_clock&) = delete;
  manual_clock& operator=(const manual_clock&) = delete;
  ~manual_clock() = default;

  /// Any thread. Wait-free.
  [[nodiscard]] time_point now() const noexcept { return now_.load(); }

  /// A thread that is not a worker, and blocks no task; one thread at a time, the others wait. Waits until all workers
  /// sleep, moves to the next deadline and fires it, and so on, up to `most` from now. So what a task does between two
  /// sleeps takes no time. What the tasks have done is visible then; ThreadSanitizer, which knows no fences, may report
  /// a race all the same. With one worker, and no two deadlines in one millisecond, each run of a test is the same.
  /// Does not return while a task never suspends, or while one makes or destroys a scheduler that follows this clock. A
  /// negative `most` counts as zero. Throws std::system_error (resource_deadlock_would_occur) on a worker that follows
  /// this clock.
  template <class Rep, class Period>
  void advance(std::chrono::duration<Rep, Period> most) {
    advance_by(detail::in_nanoseconds(most));
  }

  /// What follows a clock. The clock calls it in the thread that advances.
  class follower {
   public:
    /// The next deadline, or an earlier time that is later than now.
    [[nodiscard]] virtual std::optional<time_point> next() const = 0;
    virtual void fire() = 0;
    /// Whether nothing will happen before the next deadline, unless another thread does something.
    [[nodiscard]] virtual bool rests() const = 0;
    /// Grows each time before it stops to rest.
    [[nodiscard]] virtual std::uint64_t wakes() const = 0;

   protected:
    follower() = default;
    follower(const follower&) = default;
    follower& operator=(const follower&) = default;
    ~follower() = default;
  };
  /// For schedulers. Blocks while the clock advances.
  void add(follower& one);
  void remove(const follower& one);

 private:
  void advance_by(std::chrono::nanoseconds most);
  void settle() const;
  [[nodiscard]] bool all_rest() const;

  std::mutex one_at_a_time_;
  std::vector<follower*> followers_;
  std::atomic<time_point> now_;
};

}  // namespace licit::inline v0

#endif
