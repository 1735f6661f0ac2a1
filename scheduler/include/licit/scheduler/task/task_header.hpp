/// The first part of every task: its state, its executor, and a table of functions.
#ifndef LICIT_SCHEDULER_TASK_HEADER_HPP
#define LICIT_SCHEDULER_TASK_HEADER_HPP

#include <cstdint>
#include <exception>
#include <limits>
#include <memory_resource>
#include <string>
#include <system_error>
#include <utility>

#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/child_group.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_protocol.hpp>

namespace licit::inline v0 {

/// The functions of a task type.
struct task_functions {
  task_outcome (*poll)(task_header&) noexcept;  ///< runs the task; never returns `cancelled`
  bool (*cancel)(task_header&) noexcept;        ///< destroys what would have run; false: later, and wakes the task then
  void (*destroy)(task_header&) noexcept;       ///< destroys the task, without references
  void (*stop)(task_header&) noexcept;          ///< requests a stop by the token; null: it can have none
  std::exception_ptr (*take_exception)(task_header&) noexcept;  ///< a complete task's, if nobody asked for it
  void (*discard)(task_header&) noexcept;  ///< destroys the result of a complete task; null: nothing to destroy
  bool can_suspend;
};

/// The waiting parent of a group of tasks, which it has lent to the group.
struct waiting_parent {
  task_header* task = nullptr;
  executor* visited = nullptr;  ///< what `lend` returned
  inline void wake() const noexcept;
};

/// A group of tasks, in the frame of the coroutine that joins them.
struct task_group : child_group<native, task_header, waiting_parent, std::exception_ptr> {
  /// Whose result is the group's: the first child's that throws, or also the first that returns.
  enum class decides : std::uint32_t { failure, end };

  task_group(executor& home, decides what) : child_group{home.memory()}, on{home}, how{what} {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  /// The parent's. What was thrown and nobody took, since the parent was cancelled, is reported.
  ~task_group() {
    if (std::exception_ptr thrown = take_error()) on.unobserved(std::move(thrown));
  }
  /// The parent, when all have left; once.
  [[nodiscard]] std::exception_ptr take_error() { return std::exchange(taken_, true) ? nullptr : error(); }

  executor& on;
  const decides how;

 private:
  bool taken_ = false;
};

/// Reference-counted; never copied or moved. `run`, `wake`, `cancel`, `retain`, `release` and `done` come from
/// task_protocol; none of them throws.
class task_header : public task_protocol<task_header> {
 public:
  /// Any thread with a reference. Requests a stop by the task's stop token, if it runs with one, and cancels the task.
  void request_stop() noexcept { cancel(); }

  /// The thread that made the task or took it from a queue, instead of scheduling or running it. The task does not run
  /// any more; this call destroys what it holds.
  void abandon() noexcept {
    abandoned_ = true;
    (void)request_stop_if_asked();
    (void)state().cancel();
    run();
  }

  [[nodiscard]] bool can_suspend() const noexcept { return does_->can_suspend; }
  /// Whether a shutdown has to find the task while it runs (task_registry.hpp).
  [[nodiscard]] bool must_be_registered() const noexcept {
    return does_->stop != nullptr && (has_token_ || !does_->can_suspend);
  }
  /// The runner, in a run. From now on a shutdown finds the task while it is suspended or runs. Most tasks end without
  /// that, since it costs two read-modify-writes.
  acquaintance make_known() noexcept {
    if (knows_ == acquaintance::unknown) knows_ = home().about_to_suspend(*this);
    return knows_;
  }
  [[nodiscard]] std::pmr::memory_resource& memory() const noexcept { return memory_; }

  static constexpr std::uint32_t anywhere = std::numeric_limits<std::uint32_t>::max();
  /// The number of the only worker that may run it, or `anywhere`; and what traces and metrics call it, null or text
  /// that is never freed. Set before the task is admitted, and constant until it moves.
  std::uint32_t bound_to = anywhere;
  const char* name = nullptr;

  /// A link for the queue that holds the task.
  task_header* next = nullptr;
  /// The runner, before the run ends with `moved`: see task_protocol. What is bound to a worker is not bound any more.
  [[nodiscard]] bool move_to(executor& to) {
    struct bounds {
      task_header& task;
      const std::uint32_t before = std::exchange(task.bound_to, anywhere);
      bool moved = false;
      ~bounds() {
        if (!moved) task.bound_to = before;
      }
    } here{*this};
    here.moved = task_protocol::move_to(to);
    if (here.moved) knows_ = registered() ? acquaintance::known : acquaintance::unknown;
    return here.moved;
  }

  /// A member of the group, before the task is scheduled. Adds the task to the group. `unclaimed`: there is no handle,
  /// so the result dies before the task leaves the group. False: the group is cancelled. Throws what `enter` throws.
  [[nodiscard]] bool join(task_group& group, bool unclaimed) {
    retain();
    try {
      place_ = group.enter(*this);
    } catch (...) {
      release();
      throw;
    }
    if (place_ == nullptr) {
      release();
      return false;
    }
    group_ = &group;
    unclaimed_ = unclaimed;
    return true;
  }

  [[nodiscard]] bool is_child_of(const task_group* group) const noexcept { return group != nullptr && group_ == group; }

  /// The handle, after it took the result.
  void discard_result() noexcept {
    if (does_->discard != nullptr) in_context([this] { does_->discard(*this); });
  }

 protected:
  /// With so many references besides the task's own.
  task_header(executor& home, std::pmr::memory_resource& memory, const task_functions& does, std::uint32_t others)
      : task_protocol{home, others + own_references}, does_{&does}, memory_{memory} {}
  ~task_header() = default;
  /// The runner: the coroutine has its stop token, so a shutdown has to find the task while it runs, too.
  void has_token() noexcept { has_token_ = true; }

 private:
  friend class task_protocol<task_header>;
  friend class unconstrained;

  /// Calls a function of the task, with this thread's context set to the task.
  template <class Act>
  auto as_current(run_context& here, Act act) noexcept {
    // Member by member: a processor waits for the stores of small members before it loads them as one.
    struct restore {
      run_context& here;
      executor* const current = here.current;  // these three: a coroutine may be suspended in an executor it entered
      std::pmr::memory_resource* const memory = here.memory;
      fork_side<native>* const forks = here.forks;
      task_header* const task = here.task;
      const std::uint32_t budget = here.budget;
      const bool yields = here.yields;
      ~restore() {
        here.current = current;
        here.memory = memory;
        here.forks = forks;
        here.task = task;
        here.budget = budget;
        here.yields = yields;
      }
    } const at_the_end{here};
    here.task = this;
    here.budget = free_ != 0 ? run_context::unlimited : here.whole;
    here.yields = false;
    here.forced = false;
    return act();
  }

  /// The same in a thread that has an executor: what the call destroys may wait for tasks, and a worker that waits is
  /// to be known as one in a task. Elsewhere the call runs in no task.
  template <class Act>
  void in_context(Act act) noexcept {
    run_context& here = this_context();
    here.current != nullptr ? as_current(here, act) : act();
  }

  task_outcome poll() noexcept {
    const task_outcome how = as_current(detail::context_at_hand(), [this] { return does_->poll(*this); });
    if (how == task_outcome::threw) {
      threw_ = true;
      kept_ = home().keep();
    }
    return how;
  }
  bool stop() noexcept {
    return as_current(this_context(), [this] { return does_->cancel(*this); });
  }
  void tell_stop() noexcept { does_->stop(*this); }
  static constexpr std::uint32_t own_references = 2;  ///< one is for the registry
  [[nodiscard]] bool has_result() const noexcept { return does_->discard != nullptr; }

  std::uint32_t unregister(task_outcome how) noexcept {
    const std::uint32_t own = leave_registry() ? own_references : 1;
    return group_ != nullptr && leave_group(how) ? own + 1 : own;
  }
  /// Whether the group's reference is the task's again.
  bool leave_group(task_outcome how) noexcept {
    if (how == task_outcome::threw) {
      std::exception_ptr thrown = does_->take_exception(*this);
      if (!group_->decide(place_, *this, thrown)) unobserved(std::move(thrown));
    } else if (how == task_outcome::finished) {
      if (group_->how == task_group::decides::end) group_->decide(place_, *this, nullptr);
      if (unclaimed_) discard_result();
    } else if (!abandoned_) {
      group_->lose();
    }
    return group_->leave(place_, *this);
  }

  [[nodiscard]] bool may_ask() const noexcept { return does_->stop != nullptr; }
  bool may_suspend() noexcept {
    const acquaintance now = make_known();
    if (now == acquaintance::cancelled) {
      if (request_stop_if_asked()) (void)state().cancel();
    }
    return now != acquaintance::unknown;
  }
  void schedule(placement where) noexcept { home().schedule(*this, where); }
  void tell(task_header* who) noexcept {
    if (who == nullptr) return state().wake_sleeper();
    who->wake_lent(joiner_at());
  }
  void unobserved(std::exception_ptr thrown) noexcept {
    in_context([&] { home().unobserved(std::move(thrown)); });
  }
  void discard() noexcept {
    if (std::exception_ptr thrown = does_->take_exception(*this)) unobserved(std::move(thrown));
    discard_result();
  }
  /// The frame of a coroutine is gone. Most have left nothing that has a destructor.
  [[nodiscard]] bool is_bare() const noexcept { return does_->can_suspend && does_->discard == nullptr && !threw_; }
  void destroy() noexcept {
    if (!threw_) return does_->destroy(*this);
    executor* const kept = kept_;
    does_->destroy(*this);
    if (kept != nullptr) kept->let_go();
  }

  const task_functions* const does_;
  std::pmr::memory_resource& memory_;
  task_group* group_ = nullptr;        ///< whose child it is
  task_group::slot* place_ = nullptr;  ///< in the group
  executor* kept_ = nullptr;           ///< of a task that threw: its executor, retained, to which it may have to report
  acquaintance knows_ = acquaintance::unknown;  ///< whether the executor knows it; the runner's
  std::uint32_t free_ = 0;                      ///< the number of its `unconstrained` scopes; the runner's
  bool unclaimed_ = false;                      ///< a child without a handle
  bool abandoned_ = false;                      ///< it was refused, and who made it knows
  bool has_token_ = false;                      ///< a coroutine that has asked for its stop token
  bool threw_ = false;                          ///< so its exception may be destroyed with it
};

namespace detail {

/// In a run of `waiting`: the executor that may run `awaited` in place; or null. Another executor may have ended.
inline executor* place_of(const task_header& awaited, task_header& waiting) noexcept {
  executor& there = awaited.home();
  executor& here = waiting.home();
  return &there == &here || executor_hold::has(there) ? &there : nullptr;
}

}  // namespace detail

inline void waiting_parent::wake() const noexcept { task->wake_lent(visited); }

[[noreturn, gnu::cold]] inline void throw_waits_for_itself(const char* what) {
  throw std::system_error(std::make_error_code(std::errc::resource_deadlock_would_occur),
                          std::string("licit: ") + what + " in a task of its own handle: it would wait for itself");
}

}  // namespace licit::inline v0

#endif
