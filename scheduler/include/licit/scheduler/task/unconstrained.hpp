/// A scope in which the budget does not count.
#ifndef LICIT_SCHEDULER_UNCONSTRAINED_HPP
#define LICIT_SCHEDULER_UNCONSTRAINED_HPP

#include <licit/scheduler/task/context.hpp>
#include <licit/scheduler/task/task_header.hpp>

namespace licit::inline v0 {

/// In a task: while this object lives, awaits cost no budget, across a coroutine's suspensions too. Scopes nest; after
/// the last one the task has a whole budget. Without effect outside of a task.
class unconstrained {
 public:
  unconstrained() noexcept : task_{this_context().task} {
    if (task_ == nullptr) return;
    ++task_->free_;
    this_context().budget = run_context::unlimited;
  }
  ~unconstrained() {
    if (task_ != nullptr && --task_->free_ == 0) this_context().budget = this_context().whole;
  }
  unconstrained(const unconstrained&) = delete;
  unconstrained& operator=(const unconstrained&) = delete;

 private:
  task_header* task_;
};

}  // namespace licit::inline v0

#endif
