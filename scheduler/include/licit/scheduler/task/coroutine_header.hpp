/// The part that a coroutine's task has besides its header: where it continues.
#ifndef LICIT_SCHEDULER_COROUTINE_HEADER_HPP
#define LICIT_SCHEDULER_COROUTINE_HEADER_HPP

#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory_resource>
#include <new>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

#include <licit/scheduler/fork/open_join.hpp>
#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0 {

/// Where a suspended task continues: in the innermost of the coroutines that await one another. If there is a question,
/// only when its answer is yes. A task that is cancelled there is destroyed, or only when `stop` says so.
struct suspension {
  std::coroutine_handle<> frame = nullptr;
  bool (*ready)(const void*) noexcept = nullptr;
  const void* asked = nullptr;
  bool (*stop)(const void*) noexcept = nullptr;  ///< false: later, and the task is woken then
};

/// A move to another executor that a coroutine waits for, in its frame.
struct hop {
  executor* to;
  std::exception_ptr refused = nullptr;
};

class coroutine_header : public task_header {
 public:
  coroutine_header(executor& home, std::pmr::memory_resource& memory, const task_functions& does,
                   std::uint32_t references)
      : task_header(home, memory, does, references) {}
  ~coroutine_header() = default;
  coroutine_header(const coroutine_header&) = delete;
  coroutine_header& operator=(const coroutine_header&) = delete;

  /// The header of the task that this thread runs, or nullptr if there is no task or it is a callable.
  static coroutine_header* running() noexcept {
    task_header* const task = this_context().task;
    return task != nullptr && task->can_suspend() ? static_cast<coroutine_header*>(task) : nullptr;
  }
  /// The same, but throws std::logic_error, which names the operation that needs a task, instead of nullptr.
  static coroutine_header& running(const char* what) {
    if (coroutine_header* const task = running()) return *task;
    throw std::logic_error(std::string("licit: ") + what +
                           " outside of a coroutine that was spawned, or runs in block_on");
  }

  /// The runner, at the end of a run. The next run continues at this point, after the task was woken.
  void suspend_at(suspension where) noexcept { where_ = where; }
  /// The same, but the task is queued at once, behind the others.
  void yield_at(std::coroutine_handle<> here) noexcept {
    where_ = {.frame = here};
    this_context().yields = true;
  }
  /// The same, because the run's budget is exhausted.
  void forced_yield_at(std::coroutine_handle<> here) noexcept {
    yield_at(here);
    this_context().forced = true;
  }

  /// The same, but the task moves to another executor, and continues there. If that refuses it, it continues here.
  void hop_at(std::coroutine_handle<> here, hop& plan) noexcept {
    where_ = {.frame = here};
    hop_ = &plan;
  }
  [[nodiscard]] bool hops() const noexcept { return hop_ != nullptr; }
  /// The runner of a task that hops: the outcome of its run, or nothing if it is refused.
  [[nodiscard]] std::optional<task_outcome> leave() noexcept {
    // An entry that was left behind, when the task was taken out of its turn, has to run it once more.
    if (state().has_entry()) return task_outcome::yielded;
    hop& plan = *std::exchange(hop_, nullptr);
    try {
      if (move_to(*plan.to)) return task_outcome::moved;
      throw executor_closed("licit: schedule: the executor takes no more tasks; it was shut down");
    } catch (...) {
      plan.refused = std::current_exception();
      return std::nullopt;
    }
  }

  /// The runner of a cancelled task. Whether its frames may be destroyed.
  [[nodiscard]] bool may_be_destroyed() noexcept {
    const bool may = where_.stop == nullptr || where_.stop(where_.asked);
    return joins_.are_stopped() && may;
  }

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // at -Og, of libstdc++'s own constructor of stop_source
#endif
  /// The runner. The stop token of the task. The first call allocates the state of std::stop_source, and throws what
  /// that throws.
  [[nodiscard]] std::stop_token stop_token() {
    if (!source_.stop_possible()) {
      std::stop_source made;
      const acquaintance known = make_known();
      if (known == acquaintance::unknown) throw std::bad_alloc();
      source_ = std::move(made);
      has_token();
      if (state().ask()) source_.request_stop();
      if (known == acquaintance::cancelled) cancel();
    }
    return source_.get_token();
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  /// The thread that cancels the task, if the task has asked for its token.
  void tell_token() noexcept { source_.request_stop(); }

  // In a run, for coroutines that transfer control to one another. g++ makes that a tail call only when it optimises;
  // otherwise each transfer takes stack.

  /// The joins of coroutines that the task has not ended.
  [[nodiscard]] detail::open_joins<native>& joins() noexcept { return joins_; }
  /// Takes one of the run's awaits. Whether there was one.
  [[nodiscard]] bool spend() noexcept { return here_->spend(); }
  /// Returns the coroutine that is to continue: `to`, or after so many transfers none, and `go_on` continues with `to`
  /// when the stack is empty again.
  std::coroutine_handle<> transfer(std::coroutine_handle<> to) noexcept {
    if (transfers_-- != 0) [[likely]]
      return to;
    bounced_ = to;
    return std::noop_coroutine();
  }

  /// The runner. Whether the task continued. A wake-up for another reason changes nothing.
  bool go_on() {
    if (where_.frame == nullptr || (where_.ready != nullptr && !where_.ready(where_.asked))) return false;
    here_ = &detail::context_at_hand();
    if (joins_.any()) [[unlikely]]
      joins_.offer_again(here_->forks);
    run_on();
    if (joins_.any()) [[unlikely]]
      here_->yields ? joins_.withdraw() : joins_.settle();
    return true;
  }

 private:
  void run_on() {
    std::uint64_t most = 2 * std::uint64_t{here_->whole};  // awaits and returns
    std::coroutine_handle<> next = std::exchange(where_, {}).frame;
    for (;;) {
      transfers_ = transfers_in_a_row;
      next.resume();
      if (bounced_ == nullptr) [[likely]]
        return;
      next = std::exchange(bounced_, nullptr);
      if (here_->budget == run_context::unlimited) continue;
      if (most < transfers_in_a_row) return forced_yield_at(next);
      most -= transfers_in_a_row;
    }
  }

  static constexpr std::uint32_t transfers_in_a_row = 128;

  suspension where_;
  std::stop_source source_{std::nostopstate};
  hop* hop_ = nullptr;
  detail::open_joins<native> joins_;
  run_context* here_ = nullptr;  ///< of the thread that runs the task
  std::coroutine_handle<> bounced_ = nullptr;
  std::uint32_t transfers_ = 0;
};

}  // namespace licit::inline v0

#endif
