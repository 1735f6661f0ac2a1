/// What a thread is doing: the executor to which what it spawns goes, the task that it runs, the task's budget.
#ifndef LICIT_SCHEDULER_CONTEXT_HPP
#define LICIT_SCHEDULER_CONTEXT_HPP

#include <cstdint>
#include <limits>

#include <licit/scheduler/task/executor.hpp>

namespace licit::inline v0 {

/// Awaits a run, unless the executor says otherwise. The source of the number is Tokio's.
inline constexpr std::uint32_t budget_of_a_run = 128;

struct run_context {
  static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

  executor* current = nullptr;            ///< set by `context_scope`
  task_header* task = nullptr;            ///< while it runs, and is destroyed
  std::uint32_t budget = unlimited;       ///< of the task's run; unlimited is never counted down
  std::uint32_t whole = budget_of_a_run;  ///< that a run begins with
  bool yields = false;                    ///< how the task's run ended: it wants to go on
  bool forced = false;                    ///< that was for want of a budget; until who runs tasks clears it
};

namespace detail {
inline constinit thread_local run_context context_of_thread{};
}

/// Of the calling thread. A call that the compiler cannot see through: a coroutine that is suspended goes on in another
/// thread, and the address of a thread-local variable must not be remembered across that.
[[gnu::noinline]] inline run_context& this_context() noexcept {
  asm volatile("");
  return detail::context_of_thread;
}

/// Any thread: the executor whose worker, or `block_on`, this thread is; or nullptr.
inline executor* current_executor() noexcept { return this_context().current; }

/// A thread that runs tasks of the executor: while it lives, what the thread spawns goes there. Nests.
class context_scope {
 public:
  explicit context_scope(executor& e, std::uint32_t budget = budget_of_a_run) noexcept : before_{this_context()} {
    this_context() = {.current = &e, .whole = budget};
  }
  ~context_scope() { this_context() = before_; }
  context_scope(const context_scope&) = delete;
  context_scope& operator=(const context_scope&) = delete;

 private:
  run_context before_;
};

}  // namespace licit::inline v0

#endif
