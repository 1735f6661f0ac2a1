/// How a scheduler is made.
#ifndef LICIT_SCHEDULER_SCHEDULER_OPTIONS_HPP
#define LICIT_SCHEDULER_SCHEDULER_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory_resource>
#include <string>
#include <vector>

#include <licit/scheduler/inject/interval.hpp>

namespace licit::inline v0 {

/// In which order a worker runs what it has spawned itself.
enum class local_order : std::uint8_t {
  fifo,  ///< oldest first, by a bounded queue
  lifo,  ///< youngest first, by a deque; others take the oldest
};

/// Who pays for the order between publishing work and going to sleep.
enum class wake_fences : std::uint8_t {
  symmetric,   ///< both sides, a full fence each
  asymmetric,  ///< who goes to sleep, by a kernel call; publishing is free. Where the kernel cannot: as symmetric
};

struct scheduler_options {
  static constexpr std::size_t most_workers = 4096;
  static constexpr std::size_t most_cpus = 1024;  ///< as many as a set of Linux holds

  std::size_t workers = 0;  ///< threads; 0: one for each that the hardware runs at once
  local_order order = local_order::fifo;
  wake_fences fences = wake_fences::symmetric;

  std::size_t local_capacity = 256;  ///< tasks in a worker's queue, a power of two; where it grows, to begin with
  std::size_t inject_batch = 32;     ///< most tasks that a worker takes from the inject queue at once
  std::uint32_t lifo_in_a_row = 3;   ///< most tasks run from the slot one after the other; 0: no slot
  std::uint32_t budget = 128;        ///< ready awaits in a poll before it must yield
  interval_options interval{};       ///< between two looks of a busy worker at the inject queue
  std::uint32_t spins = 16;          ///< rounds of looking again before a worker goes to sleep

  std::string thread_name = "licit-";  ///< followed by the worker's number; it names the scheduler in metrics too
  /// Processors: empty, any; one set, of all workers; else a set for each.
  std::vector<std::vector<unsigned>> affinity{};

  /// Hooks. What `on_thread_start` throws, the constructor throws; what the two others throw ends the program.
  std::function<void(std::size_t worker)> on_thread_start{};          ///< on the worker's thread, before its first task
  std::function<void(std::size_t worker)> on_thread_stop{};           ///< on the worker's thread, after its last task
  std::function<void(std::exception_ptr exception)> on_unobserved{};  ///< of a task whose handle is gone

  std::pmr::memory_resource* memory = nullptr;  ///< of tasks and queues; null: the scheduler's own choice

  bool measure_polls = false;    ///< a histogram of poll times; two readings of the clock a poll
  std::size_t trace_events = 0;  ///< kept for each worker; 0: no trace. Two readings of the clock a poll

  /// Throws std::invalid_argument that names the option, its value and its range.
  void validate() const;

  /// `workers`, or as many as the hardware runs threads at once, 1 to `most_workers`.
  [[nodiscard]] std::size_t resolved_workers() const;
};

}  // namespace licit::inline v0

#endif
