/// A thread's context: the executor on which it spawns, the task that it runs, the task's budget.
#ifndef LICIT_SCHEDULER_CONTEXT_HPP
#define LICIT_SCHEDULER_CONTEXT_HPP

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <utility>

#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

struct task_group;  // task_header.hpp
class executor_hold;

/// The default budget of a run, in awaits. The number is Tokio's.
inline constexpr std::uint32_t budget_of_a_run = 128;

struct run_context {
  static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

  executor* current = nullptr;                  ///< set by `context_scope`, or where the thread has entered another
  executor* worker_of = nullptr;                ///< whose worker the thread is, whatever it has entered; or null
  std::pmr::memory_resource* memory = nullptr;  ///< of the executor; null: the default memory
  fork_side<native>* forks = nullptr;           ///< where the thread's joins are offered; null: nowhere yet
  task_header* task = nullptr;                  ///< the task that runs or is being destroyed
  std::uint32_t budget = unlimited;             ///< what is left of the run's budget; `unlimited` is not counted down
  std::uint32_t whole = budget_of_a_run;        ///< the budget with which a run begins
  const task_group* group = nullptr;            ///< whose parent, below on the stack, runs its children
  const task_header* joined = nullptr;          ///< that a join of coroutines, below on the stack, runs in place
  const executor_hold* held = nullptr;          ///< the calls of executors that the thread is in, the innermost
  bool yields = false;                          ///< the run ended by a yield
  bool forced = false;                          ///< it yielded for want of budget; the runner of tasks clears this

  /// Takes one of the run's awaits. Whether there was one.
  bool spend() noexcept {
    if (budget == unlimited) return true;
    if (budget == 0) return false;
    --budget;
    return true;
  }
};

/// The calling thread's context. The library defines it: all binaries that link the shared library have one together,
/// and each that links the archive has its own. Deliberately opaque to the compiler: a suspended
/// coroutine may continue on another thread, so the compiler must not keep the address of a thread-local variable
/// across a suspension.
run_context& this_context() noexcept;

namespace detail {

extern constinit thread_local run_context context_of_thread;

/// The same without a call, for what every fork and every run asks. g++ divides a coroutine at its suspensions before
/// it optimises, and clang 16 and later keep no thread's address across one.
[[gnu::always_inline]] inline run_context& context_at_hand() noexcept {
#if defined(__clang__) && __clang_major__ < 16
  return this_context();
#else
  return context_of_thread;
#endif
}

/// Where the calling thread's joins are offered, or null.
[[gnu::always_inline]] inline fork_side<native>* forks_here() noexcept { return context_at_hand().forks; }

}  // namespace detail

/// Any thread. The executor whose worker this is, or whose `block_on` the thread is in; or nullptr.
inline executor* current_executor() noexcept { return detail::context_at_hand().current; }

/// Any thread. The executor that has to know when the thread blocks: a worker's own executor, even if it has entered
/// another; elsewhere the current one; or nullptr.
inline executor* executor_that_waits() noexcept {
  const run_context& here = this_context();
  return here.worker_of != nullptr ? here.worker_of : here.current;
}

/// Any thread. The memory of the current executor's tasks, or the default memory.
inline std::pmr::memory_resource& memory_here() noexcept {
  std::pmr::memory_resource* const memory = detail::context_at_hand().memory;
  return memory != nullptr ? *memory : default_memory();
}

/// For a thread that runs tasks of the executor: while this object lives, the thread spawns there. Scopes nest.
class context_scope {
 public:
  explicit context_scope(executor& e, std::uint32_t budget = budget_of_a_run) noexcept : before_{this_context()} {
    this_context() = {
        .current = &e, .worker_of = before_.worker_of, .memory = &e.memory(), .whole = budget, .held = before_.held};
  }
  ~context_scope() { this_context() = before_; }
  context_scope(const context_scope&) = delete;
  context_scope& operator=(const context_scope&) = delete;

 private:
  run_context before_;
};

/// For a thread in a call of the executor's: while it lives, the executor may be called on, also after its end. Nests.
class executor_hold {
 public:
  explicit executor_hold(executor& of) noexcept
      : of_{of}, kept_{of.keep()}, outer_{std::exchange(this_context().held, this)} {}
  ~executor_hold() {
    this_context().held = outer_;
    if (kept_ != nullptr) kept_->let_go();
  }
  executor_hold(const executor_hold&) = delete;
  executor_hold& operator=(const executor_hold&) = delete;

  /// Whether the calling thread holds the executor, which may be gone otherwise.
  static bool has(const executor& one) noexcept {
    const executor_hold* hold = this_context().held;
    while (hold != nullptr && &hold->of_ != &one) hold = hold->outer_;
    return hold != nullptr;
  }

 private:
  executor& of_;
  executor* const kept_;
  const executor_hold* const outer_;
};

/// While it lives, the thread, in whatever task it is, spawns at another executor and forks at this side of it.
class entry_scope {
 public:
  entry_scope(executor& e, fork_side<native>* forks) noexcept : before_{this_context()} {
    run_context& here = this_context();
    here.current = &e;
    here.memory = &e.memory();
    here.forks = forks;
  }
  ~entry_scope() {
    run_context& here = this_context();
    here.current = before_.current;
    here.memory = before_.memory;
    here.forks = before_.forks;
  }
  entry_scope(const entry_scope&) = delete;
  entry_scope& operator=(const entry_scope&) = delete;

 private:
  const run_context before_;
};

}  // namespace licit::inline v0

#endif
