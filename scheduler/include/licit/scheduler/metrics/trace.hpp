/// The workers' latest events in Chrome's trace format, which chrome://tracing and Perfetto open.
#ifndef LICIT_SCHEDULER_TRACE_HPP
#define LICIT_SCHEDULER_TRACE_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>

#include <licit/scheduler/metrics/trace_ring.hpp>

namespace licit::inline v0 {

enum class traced : std::uint32_t {
  run_begin,     ///< of a task
  run_end,       ///< of a task
  park,          ///< goes to sleep
  wake,          ///< woke up
  steal,         ///< took tasks from another's queue
  slot_steal,    ///< took the task in another's slot
  inject,        ///< took tasks from the inject queue
  overflow,      ///< gave half of its queue to the inject queue
  forced_yield,  ///< a task had used up its budget
  run_name,      ///< of the run or half that began just before: the address of text that is never freed
  woke,          ///< is about to wake another worker
  sent,          ///< is about to give another worker a task that is bound to that one
  half_begin,    ///< of a stolen half of a join: the half's address
  half_from,     ///< the worker, or the guest beyond the workers, from which the half that began just before was stolen
  half_end,      ///< of a stolen half
  wait_begin,    ///< a join begins to wait for its stolen half: the half's address
  wait_end,      ///< the half is complete
  timers,        ///< fired timers
  driver_taken,  ///< waits for deadlines and the reactor from now on, or polls the reactor
  driver_given,  ///< does so no longer
};

/// The second word of an event: kind, worker and number, or kind and address (of a task, a half or text).
struct trace_word {
  static std::uint64_t of_task(traced kind, const void* task) {
    return (reinterpret_cast<std::uintptr_t>(task) & task_mask) | (static_cast<std::uint64_t>(kind) << 56);  // NOLINT
  }
  /// `number` is cut to 32 bits, `worker` to 24.
  static constexpr std::uint64_t of_number(traced kind, std::uint64_t number, std::uint64_t worker = 0) {
    return (number & 0xFFFFFFFFU) | ((worker & 0xFFFFFFU) << 32) | (static_cast<std::uint64_t>(kind) << 56);
  }
  static constexpr traced kind(std::uint64_t word) { return static_cast<traced>(word >> 56); }
  static constexpr std::uint64_t task(std::uint64_t word) { return word & task_mask; }
  static constexpr std::uint64_t number(std::uint64_t word) { return word & 0xFFFFFFFFU; }
  static constexpr std::uint64_t worker(std::uint64_t word) { return (word >> 32) & 0xFFFFFFU; }

 private:
  static constexpr std::uint64_t task_mask = (std::uint64_t{1} << 56) - 1;
};

/// A ring of events for each worker. Times are nanoseconds of one clock.
class trace {
 public:
  /// `events` a worker, rounded up to a power of two, at least 2; 16 bytes each. Throws std::bad_alloc.
  trace(std::size_t workers, std::size_t events);

  /// The ring to which the worker writes.
  trace_ring<>& of(std::size_t worker) { return rings_[worker]; }

  /// Any thread, while the workers run; stops none of them. Runs, sleeps, stolen halves and waits for them become bars,
  /// one track a worker; `cat` says which of these a bar is. Bars of a track lie beside or within one another. A bar
  /// that is still open at `now_ns` ends there, and is marked. The track and `otherData` count overwritten events; a
  /// bar whose beginning is overwritten starts where the track does. Throws std::bad_alloc; stream errors are reported
  /// by the stream.
  void write_chrome_trace(std::ostream& to, std::uint64_t now_ns, const std::string& name = "licit") const;

 private:
  std::deque<trace_ring<>> rings_;
};

}  // namespace licit::inline v0

#endif
