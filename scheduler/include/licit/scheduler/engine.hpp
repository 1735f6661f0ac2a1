/// The implementation of a scheduler behind its public header: threads, queues, shutdown.
#ifndef LICIT_SCHEDULER_ENGINE_HPP
#define LICIT_SCHEDULER_ENGINE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>

#include <licit/scheduler/metrics/metrics_snapshot.hpp>
#include <licit/scheduler/scheduler_options.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

/// What a shutdown does with existing tasks.
enum class shutdown_kind : std::uint32_t {
  drain,   ///< they run to their end, and may spawn; tasks from outside are refused
  cancel,  ///< queued and suspended tasks are cancelled, running ones when they next suspend or yield. Callables that
           ///< take a stop token learn it there; their stop callbacks run in the thread that calls shutdown
};

/// Numbers of tasks since the scheduler was made.
struct shutdown_report {
  std::uint64_t finished = 0;   ///< ran to their end, by returning or throwing
  std::uint64_t cancelled = 0;  ///< were cancelled before their end
  /// Still exist at the end of the time limit: they run or wait. The threads have not ended then.
  std::uint64_t left = 0;
  /// Where no task is left: threads that still use the scheduler at the end of the time limit, in a join that they
  /// entered from outside, in `on_unobserved`, or as another scheduler's worker about to wake a task. The workers'
  /// threads may not have ended then.
  std::uint64_t visitors = 0;

  /// No task is left, the threads have ended, and no other thread uses the scheduler.
  [[nodiscard]] bool complete() const { return left == 0 && visitors == 0; }
};

namespace detail {

/// Has one reference at first. Dropping the last one destroys it, after `end`.
class engine : public executor {
 public:
  using time_limit = std::optional<std::chrono::steady_clock::time_point>;

  engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// See `scheduler`'s constructor.
  static engine* make(const scheduler_options& options);

  // See the members of `scheduler`.
  virtual shutdown_report shutdown(shutdown_kind kind, time_limit until) = 0;
  /// Once, the last use of the engine apart from `let_go`: shuts down by cancelling, and ends the hooks. Allocates
  /// nothing.
  virtual void end() noexcept = 0;
  [[nodiscard]] virtual scheduler_snapshot metrics() const = 0;
  virtual void write_trace(std::ostream& to) const = 0;
  [[nodiscard]] virtual std::size_t workers() const noexcept = 0;

 protected:
  virtual ~engine() = default;
};

}  // namespace detail

}  // namespace licit::inline v0

#endif
