/// What a thread is in: calls for engines, and tasks that wait below others on its stack. Threads that are no workers
/// run tasks for which they wait.
#ifndef LICIT_SCHEDULER_VISITS_HPP
#define LICIT_SCHEDULER_VISITS_HPP

#include <atomic>
#include <cstdint>
#include <utility>

#include <licit/scheduler/engine.hpp>
#include <licit/scheduler/metrics/worker_counts.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0::detail {

/// A call of some kind for an engine in this thread. Such calls nest, also those of different engines.
template <class Kind>
class nested_call {
 public:
  explicit nested_call(const engine& of) noexcept : of_{of}, outer_{std::exchange(innermost, this)} {}
  nested_call(const nested_call&) = delete;
  nested_call& operator=(const nested_call&) = delete;
  ~nested_call() { innermost = outer_; }

  /// Whether this thread is in one of the engine's.
  static bool is_in(const engine& of) noexcept {
    const nested_call* one = innermost;
    while (one != nullptr && &one->of_ != &of) one = one->outer_;
    return one != nullptr;
  }

 private:
  static inline thread_local const nested_call* innermost = nullptr;
  const engine& of_;
  const nested_call* const outer_;
};
/// Of `on_unobserved`.
using hook_call = nested_call<struct hook>;
/// Of a task, in a thread that is no worker of the engine.
using visiting_run = nested_call<struct visit>;

/// A task that waits on this thread's stack for another, which runs above it. They nest, also those of different
/// engines.
class waiting_below {
 public:
  waiting_below() noexcept : task_{context_at_hand().task}, outer_{std::exchange(innermost, this)} {}
  waiting_below(const waiting_below&) = delete;
  waiting_below& operator=(const waiting_below&) = delete;
  ~waiting_below() { innermost = outer_; }

  /// Whether this thread has the task below what runs.
  static bool has(const task_header& one) noexcept {
    const waiting_below* below = innermost;
    while (below != nullptr && below->task_ != &one) below = below->outer_;
    return below != nullptr;
  }

 private:
  static inline thread_local const waiting_below* innermost = nullptr;
  const task_header* const task_;
  const waiting_below* const outer_;
};

/// Counts the runs of tasks in threads that are no workers.
class outside_runs {
 public:
  /// Whether the task has left.
  bool add(task_outcome how) noexcept {
    if (how == task_outcome::stale) return false;
    ++counts_.polls;
    switch (how) {
      case task_outcome::finished: ++counts_.finished; return true;
      case task_outcome::threw: ++counts_.threw; return true;
      case task_outcome::cancelled: ++counts_.cancelled; return true;
      case task_outcome::moved: ++counts_.moved; return true;
      default: this_context().forced = false; return false;
    }
  }
  [[nodiscard]] outside_counts<std::uint64_t> read() const noexcept {
    return {counts_.polls, counts_.finished, counts_.threw, counts_.cancelled, counts_.moved};
  }

 private:
  outside_counts<std::atomic<std::uint64_t>> counts_;
};

}  // namespace licit::inline v0::detail

#endif
