/// The options of a scheduler.
#ifndef LICIT_SCHEDULER_SCHEDULER_OPTIONS_HPP
#define LICIT_SCHEDULER_SCHEDULER_OPTIONS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include <licit/scheduler/inject/interval.hpp>

namespace licit::inline v0 {

class manual_clock;  // time/manual_clock.hpp
class reactor;       // time/reactor.hpp

/// The order in which a worker runs the tasks that it has spawned.
enum class local_order : std::uint32_t {
  fifo,  ///< the oldest first; a bounded queue
  lifo,  ///< the youngest first; a deque, from which thieves take the oldest
};

/// The fences of joins: of callables, of coroutines, and in parallel algorithms.
enum class join_fences : std::uint32_t {
  chosen,  ///< asymmetric if the kernel has membarrier (`asymmetric_fences()`) and there are 8 workers at most; or full
  full,    ///< full ones, whatever the kernel has: no membarrier call
};

/// A poll that lasts too long; or a handler of the reactor, or a stolen half of a join that a worker runs outside
/// polls.
struct stall {
  std::size_t worker = 0;
  std::string task{};                 ///< the name of the innermost task that runs; empty: it has none
  std::chrono::nanoseconds lasted{};  ///< so far, as the watchdog has seen
  /// The worker that holds the driver meanwhile. None: nobody waits for deadlines and the reactor. If it is `worker`,
  /// that one is in no task, but in a handler of the reactor.
  std::optional<std::size_t> driver{};

  friend bool operator==(const stall&, const stall&) = default;
};

struct scheduler_options {
  static constexpr std::size_t most_workers = 4096;
  static constexpr std::size_t most_guests = 4096;
  static constexpr std::size_t most_cpus = 1024;  ///< as many as a set of Linux holds
  /// With more, a theft's membarrier interrupts so many threads that full fences are faster (bench/simulation.md, 5).
  static constexpr std::size_t most_asymmetric_workers = 8;

  /// Threads. 0: one for each processor that this thread may use, by its affinity mask and the quotas of its control
  /// groups.
  std::size_t workers = 0;
  local_order order = local_order::fifo;

  std::size_t local_capacity = 256;  ///< tasks in a worker's queue, a power of two; with lifo the initial capacity
  std::size_t inject_batch = 32;     ///< the most tasks that a worker takes from the inject queue at once
  std::uint32_t lifo_in_a_row = 3;   ///< the most tasks run from the slot in succession; 0: no slot
  std::uint32_t budget = 128;        ///< ready awaits in a poll before the task must yield
  interval_options interval{};       ///< between two looks of a busy worker at the inject queue
  std::uint32_t spins = 16;          ///< further rounds of searching before a worker goes to sleep
  /// False: a task stays with the worker that spawned it, or, from outside, with one of them in turn; it waits for that
  /// worker's other tasks though others sleep. Such tasks run in the order in which they were spawned or woken.
  bool stealing = true;
  /// A thread in `block_on` or `enter` that waits for a task runs that task itself, if nobody has begun it: not while
  /// `stealing` is off or `clock` is set, nor if it is bound to a worker. False: workers alone run tasks.
  bool waiters_run = true;
  std::size_t guests = 8;  ///< outside threads that can offer joins at a time; further ones run their joins alone
  /// With `chosen` and more than `most_asymmetric_workers` workers the fences are `full`. Guests do not count. With
  /// that many or fewer the first fork asks whether the kernel has membarrier; before it the scheduler makes no such
  /// call. From then on the process must not enter a sandbox that refuses membarrier: the next theft would end it. If
  /// it has to, or if a sandbox kills for the call, choose `full`: two full fences a fork. The first question in a
  /// process takes some ten milliseconds if other threads run, and some microseconds if not: `asymmetric_fences()`
  /// asks it early.
  licit::join_fences join_fences = licit::join_fences::chosen;
  std::size_t steal_at_most = 32;  ///< the most tasks that a worker steals at once: half of another's queue, up to this
  std::optional<std::uint64_t> seed{};  ///< of the random order in which workers are stolen from; none: differs by run

  std::string thread_name = "licit-";  ///< prefix of the workers' numbers; also the scheduler's name in metrics
  /// Sets of processor numbers. Empty: any processor; one set: for all workers; otherwise one set for each worker.
  std::vector<std::vector<unsigned>> affinity{};
  std::size_t stack_bytes = 0;  ///< of a worker's thread, rounded up to pages; 0: the system's default
  /// Signals that the workers block, from their first instruction on. Not among them: those that cannot be blocked and
  /// those that a faulty instruction raises. `all_signals()` has all others.
  std::vector<int> blocked_signals{};

  /// Hooks. The constructor rethrows what `on_thread_start` throws. An exception from the others ends the program.
  /// `on_unobserved` runs in the thread that drops the handle or completes the task. The scheduler's destructor waits
  /// for it, so it never runs after that; in it a shutdown throws std::logic_error. What the hooks hold is destroyed
  /// with the scheduler, even if handles outlive it.
  std::function<void(std::size_t worker)> on_thread_start{};          ///< on the worker's thread, before its first task
  std::function<void(std::size_t worker)> on_thread_stop{};           ///< on the worker's thread, after its last task
  std::function<void(std::exception_ptr exception)> on_unobserved{};  ///< for a task whose handle is gone

  /// On the watchdog's thread, once for each poll that is found to last longer than `stall_after`; likewise for each
  /// stolen half of a join outside polls, whose name is "stolen half". It may shut the scheduler down, but must not
  /// destroy it. If another thread is shutting it down already, that call returns at once, and its report says what was
  /// left then. It must not wait for a thread that calls shutdown, which waits for it.
  std::function<void(const stall& poll)> on_stall{};

  /// For tasks and queues; null: plain new and delete. It must outlive the scheduler, its handles and wakers, and the
  /// calls of `block_on` and `enter`.
  std::pmr::memory_resource* memory = nullptr;

  /// Where a sleeping worker waits for the outside world: one worker at a time, and busy ones poll it now and then
  /// (time/reactor.hpp). Null: none. It must outlive the scheduler.
  licit::reactor* reactor = nullptr;
  /// The clock of sleeps and timeouts, for tests (time/manual_clock.hpp). Null: the steady clock. It must outlive the
  /// scheduler.
  manual_clock* clock = nullptr;

  bool measure_polls = false;    ///< keeps a histogram of poll times; reads the clock twice a poll
  std::size_t trace_events = 0;  ///< events kept for each worker; 0: no trace. Reads the clock twice a poll

  /// 0: no watchdog. Otherwise a thread looks four times in this time whether a worker is still in the same poll; it
  /// sleeps while all workers do. Costs two stores a poll and a run in place, and a read-modify-write a wake-up.
  std::chrono::nanoseconds stall_after{0};

  /// Throws std::invalid_argument that names the option, its value and its range.
  void validate() const;

  /// `workers`; if that is 0, the number of processors that the calling thread may use, from 1 to `most_workers`: by
  /// its affinity mask, and by the quotas of its control groups, rounded up. Then reads some small files of the system.
  [[nodiscard]] std::size_t resolved_workers() const;

  /// The fences of a scheduler with `resolved_workers()` workers: `full` if there are more than
  /// `most_asymmetric_workers`, otherwise `join_fences`.
  [[nodiscard]] licit::join_fences resolved_fences() const;

  /// `seed`; if there is none, another number for each call and each run of the program.
  [[nodiscard]] std::uint64_t resolved_seed() const;

  /// All signals that `blocked_signals` may have.
  [[nodiscard]] static std::vector<int> all_signals();
};

}  // namespace licit::inline v0

#endif
