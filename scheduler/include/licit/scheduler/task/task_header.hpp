/// What every task begins with: its state, its executor, and what it does, by a table of functions.
#ifndef LICIT_SCHEDULER_TASK_HEADER_HPP
#define LICIT_SCHEDULER_TASK_HEADER_HPP

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <utility>

#include <licit/scheduler/task/budget.hpp>
#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/executor.hpp>
#include <licit/scheduler/task/task_protocol.hpp>

namespace licit::inline v0 {

/// One a type of task.
struct task_functions {
  task_outcome (*poll)(task_header&) noexcept;                  ///< runs it; not `cancelled`
  void (*cancel)(task_header&) noexcept;                        ///< destroys what would have run
  void (*destroy)(task_header&) noexcept;                       ///< the last reference is gone
  void (*stop)(task_header&) noexcept;                          ///< tells what runs, if it takes a stop token
  std::exception_ptr (*take_exception)(task_header&) noexcept;  ///< of a complete task: if nobody asked for it
  bool can_suspend;
};

/// The first part of every task. Reference-counted; never copied or moved. `run`, `wake`, `cancel`, `retain`, `release`
/// and `done` are those of task_protocol; none of them throws.
class task_header : public task_protocol<task_header> {
 public:
  /// Any thread that has a reference: asks a callable that takes a stop token to end, and cancels the task.
  void request_stop() noexcept {
    does_->stop(*this);
    cancel();
  }

  /// Who made the task, or took it from a queue, in place of scheduling or running it: it does not run any more, and
  /// what it holds is destroyed here.
  void abandon() noexcept {
    (void)state().cancel();
    run();
  }

  [[nodiscard]] executor& home() const noexcept { return home_; }
  [[nodiscard]] bool can_suspend() const noexcept { return does_->can_suspend; }
  [[nodiscard]] std::pmr::memory_resource& memory() const noexcept { return memory_; }

  /// Of the one queue that has the task.
  task_header* next = nullptr;

 protected:
  task_header(executor& home, std::pmr::memory_resource& memory, const task_functions& does, std::uint32_t references)
      : task_protocol{references}, does_{&does}, home_{home}, memory_{memory} {}
  ~task_header() = default;

 private:
  friend class task_protocol<task_header>;
  friend class unconstrained;

  /// What the task does, with the thread saying that it does it.
  template <class Act>
  auto as_current(Act act) noexcept {
    run_context& here = this_context();
    const run_context before = std::exchange(here, {.current = here.current,
                                                    .task = this,
                                                    .budget = free_ != 0 ? run_context::unlimited : here.whole,
                                                    .whole = here.whole});
    struct restore {
      run_context& here;
      const run_context& before;
      ~restore() {
        const bool forced = here.forced;
        here = before;
        here.forced = forced;
      }
    } const at_the_end{here, before};
    return act();
  }

  task_outcome poll() noexcept {
    const task_outcome how = as_current([this] { return does_->poll(*this); });
    if (how == task_outcome::threw) {
      home_.keep();
      threw_ = true;
    }
    return how;
  }
  void stop() noexcept {
    as_current([this] { does_->cancel(*this); });
  }
  void schedule(placement where) noexcept { home_.schedule(*this, where); }
  void tell(task_header* who) noexcept {
    if (who == nullptr) {
      state().wake_sleeper();
    } else {
      who->wake();
      who->release();
    }
  }
  void report() noexcept {
    if (std::exception_ptr thrown = does_->take_exception(*this)) home_.unobserved(std::move(thrown));
  }
  void destroy() noexcept {
    if (threw_) home_.let_go();  // before: the executor of a `block_on` is the task itself
    does_->destroy(*this);
  }

  const task_functions* const does_;
  executor& home_;
  std::pmr::memory_resource& memory_;
  bool threw_ = false;      ///< and has retained its executor, to whom it may have to report
  std::uint32_t free_ = 0;  ///< how many `unconstrained` it has; the runner's
};

}  // namespace licit::inline v0

#endif
