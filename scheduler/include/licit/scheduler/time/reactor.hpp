/// What a scheduler needs from an event loop, so that its sleeping workers wait for the outside world.
#ifndef LICIT_SCHEDULER_REACTOR_HPP
#define LICIT_SCHEDULER_REACTOR_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace licit::inline v0 {

/// For `scheduler_options::reactor`. Events become ready; for each there is a handler, which the reactor runs in `poll`
/// or `wait`. Handlers run on a worker, between its tasks, and delay the other handlers: they should only spawn tasks
/// or wake them. What they spawn or wake counts as from a worker of the scheduler.
///
/// The scheduler calls `poll` and `wait` from one worker at a time, the one that holds the driver; successive calls may
/// come from different workers, and each sees what the last one did. Neither may throw: an exception ends the program.
class reactor {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The worker that holds the driver. Runs the handlers of what is ready, or some of them, and does not block. Returns
  /// how many have run.
  virtual std::size_t poll() = 0;

  /// The worker that holds the driver, when it has nothing else to do. Blocks until handlers have run, until
  /// `interrupt` was called since the last `wait` returned, or until the deadline; without a deadline, forever if need
  /// be. May return for no reason.
  virtual void wait(std::optional<time_point> deadline) = 0;

  /// Any thread, at any time while the scheduler lives, also while no worker waits. Ends the `wait` that is under way,
  /// or the next one. Wait-free, or a system call. Several calls may end one wait.
  virtual void interrupt() noexcept = 0;

  /// A scheduler, or a thread, that drives the reactor as long as this lives. An interruption ends one wait, so of two
  /// that wait one would miss its own.
  class drive {
   public:
    /// Throws std::logic_error if there is another.
    explicit drive(reactor& of) : of_{of} {
      if (of.driven_.exchange(true)) {
        throw std::logic_error("licit: the reactor has a driver already: another scheduler's workers, or a thread");
      }
    }
    drive(const drive&) = delete;
    drive& operator=(const drive&) = delete;
    ~drive() { of_.driven_ = false; }

   private:
    reactor& of_;
  };

 protected:
  reactor() = default;
  // NOLINTBEGIN(modernize-use-equals-delete): beside the constructor, which bases call
  reactor(const reactor&) = delete;
  reactor& operator=(const reactor&) = delete;
  // NOLINTEND(modernize-use-equals-delete)
  ~reactor() = default;

 private:
  std::atomic<bool> driven_ = false;
};

}  // namespace licit::inline v0

#endif
