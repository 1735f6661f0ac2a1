/// The watchdog: a thread that tells which worker has been in one poll for too long.
#ifndef LICIT_SCHEDULER_WATCHDOG_HPP
#define LICIT_SCHEDULER_WATCHDOG_HPP

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/metrics/metrics.hpp>
#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0::detail {

/// A thread that has nothing to do while all workers are parked, and to which a worker that was in the idle set leaves
/// a token after it is out of it. Sleeps in that case; then more may have to be asked. Whether it slept.
template <class Parker, class AllParked>
bool sleep_while_all_parked(Parker& asleep, AllParked&& all_parked) {
  const bool sleeps = all_parked();
  if (sleeps) asleep.park();
  return sleeps;
}

/// Four times in `stall_after` it looks whether a worker is still in the poll in which it was before. While all workers
/// are parked it sleeps without a timeout: a worker that wakes, or leaves the idle set before it slept, leaves a token
/// in its parker. The token is left after the worker is out of the idle set, so a watchdog that has taken the token
/// sees that not all are parked.
class watchdog {
 public:
  /// `woken` is where workers leave a token. The functions are called by the watchdog's thread, and must be
  /// callable until `stop`. Throws std::system_error if the thread cannot be created, and std::bad_alloc.
  watchdog(const scheduler_options& options, parker<>& woken, std::size_t workers,
           std::function<poll_progress(std::size_t worker)> progress, std::function<bool()> all_parked,
           std::function<std::optional<std::size_t>()> driver);
  ~watchdog() { stop(); }
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  /// Which workers are in a poll that has lasted longer than the limit now, as of the last look. Waits for a look that
  /// is under way.
  [[nodiscard]] std::vector<stall> stalls() const;

  /// Ends the thread. May be called again, by the same thread.
  void stop();

  /// Whether the calling thread is the watchdog's.
  [[nodiscard]] bool is_here() const noexcept;

 private:
  using clock = std::chrono::steady_clock;
  struct sight {
    std::uint64_t polls = 0;
    clock::time_point since{};
    bool told = false;
  };

  void run();
  void look(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] stall of(std::size_t worker, const poll_progress& now) const;

  const scheduler_options& options_;
  const std::function<poll_progress(std::size_t)> progress_;
  const std::function<bool()> all_parked_;
  const std::function<std::optional<std::size_t>()> driver_;
  mutable std::mutex mutex_;
  std::condition_variable change_;
  bool stop_ = false;  // this and the next under mutex_
  std::vector<sight> seen_;
  parker<>& asleep_;
  std::thread thread_;
};

}  // namespace licit::inline v0::detail

#endif
