/// A scheduler's metrics at one moment, as plain data.
#ifndef LICIT_SCHEDULER_METRICS_SNAPSHOT_HPP
#define LICIT_SCHEDULER_METRICS_SNAPSHOT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <licit/scheduler/metrics/poll_histogram.hpp>
#include <licit/scheduler/metrics/worker_counts.hpp>

namespace licit::inline v0 {

/// What a worker is at, as its watchdog reads it.
struct poll_progress {
  std::uint64_t polls = 0;     ///< that it has begun, and stolen halves of joins that it has begun outside polls
  const char* task = nullptr;  ///< the name of what it runs, the innermost, empty if that has none; null: it runs none
};

/// One worker's metrics. Counts are since the start, or between two snapshots.
struct worker_snapshot {
  worker_counts<std::uint64_t> counts;
  std::uint64_t parked_ns = 0;    ///< time asleep, up to the snapshot, in nanoseconds
  std::uint64_t local_depth = 0;  ///< tasks in its queue, its slot and bound to it at the snapshot; an estimate
  std::uint64_t stalled_ns = 0;   ///< duration of its poll, if scheduler_options::stall_after is over; or 0
  std::string stalled_task{};     ///< the name of the task that it runs in that poll, if it has one
  std::optional<duration_counts> poll_times;  ///< if scheduler_options::measure_polls

  friend bool operator==(const worker_snapshot&, const worker_snapshot&) = default;
};

/// A scheduler's metrics. Each count is exact as of some moment during the call that made the snapshot, and never falls
/// from one snapshot to the next of the same thread. The moments differ, so counts need not add up: a task may be in
/// `items_stolen` and not yet in `polls`. Depths and live tasks are estimates.
struct scheduler_snapshot {
  std::string name;              ///< the scheduler's, in what is printed
  std::uint64_t elapsed_ns = 0;  ///< since the start, or between two snapshots
  std::vector<worker_snapshot> workers;
  std::uint64_t inject_depth = 0;           ///< tasks in the inject queue; an estimate
  std::uint64_t searching = 0;              ///< workers
  std::uint64_t parked = 0;                 ///< workers
  std::optional<std::size_t> driver{};      ///< the worker that waits for deadlines and the reactor, or is about to
  std::uint64_t spawned_outside = 0;        ///< tasks, by threads other than the workers
  outside_counts<std::uint64_t> outside{};  ///< runs in such threads (scheduler_options::waiters_run)
  std::uint64_t unobserved_exceptions = 0;  ///< from tasks whose handle was gone

  friend bool operator==(const scheduler_snapshot&, const scheduler_snapshot&) = default;

  /// The sum over all workers, and the runs outside.
  [[nodiscard]] worker_snapshot total() const;

  /// Tasks spawned and not ended, as far as the counts agree. Not for a difference of snapshots.
  [[nodiscard]] std::uint64_t live_tasks() const;
};

/// What happened between two snapshots of one scheduler: counts and times are differences; depths and the numbers of
/// searching and parked workers are the later ones. Throws std::invalid_argument if the numbers of workers differ.
scheduler_snapshot operator-(scheduler_snapshot later, const scheduler_snapshot& earlier);

}  // namespace licit::inline v0

#endif
