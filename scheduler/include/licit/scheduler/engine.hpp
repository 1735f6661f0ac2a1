/// The part of a scheduler that its header need not show: threads, queues, shutdown.
#ifndef LICIT_SCHEDULER_ENGINE_HPP
#define LICIT_SCHEDULER_ENGINE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>

#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/metrics/metrics_snapshot.hpp>
#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0 {

/// What becomes of the tasks there are.
enum class shutdown_kind : std::uint8_t {
  drain,   ///< they run to their end, and what they spawn; others are refused
  cancel,  ///< those that are queued or suspended are cancelled; those that run, where they next suspend or yield
};

/// Tasks, since the scheduler was made.
struct shutdown_report {
  std::uint64_t finished = 0;   ///< ran to their end, those that threw too
  std::uint64_t cancelled = 0;  ///< did not
  /// Would not stop in time: they run, or wait for what does not come. The threads have not ended then.
  std::uint64_t left = 0;

  /// Nothing is left: the threads have ended.
  [[nodiscard]] bool complete() const { return left == 0; }
};

/// Made with one reference; the last one ends it, after a shutdown that was complete.
class engine : public executor {
 public:
  using time_limit = std::optional<std::chrono::steady_clock::time_point>;

  engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// As `scheduler`'s constructor.
  static engine* make(const scheduler_options& options);

  // As `scheduler`'s.
  virtual shutdown_report shutdown(shutdown_kind kind, time_limit until) = 0;
  [[nodiscard]] virtual scheduler_snapshot metrics() const = 0;
  virtual void write_trace(std::ostream& to) const = 0;
  [[nodiscard]] virtual std::size_t workers() const noexcept = 0;

 protected:
  virtual ~engine() = default;
};

}  // namespace licit::inline v0

#endif
