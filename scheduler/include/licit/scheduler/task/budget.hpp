/// How much a task may do in one run before it lets the others run.
#ifndef LICIT_SCHEDULER_BUDGET_HPP
#define LICIT_SCHEDULER_BUDGET_HPP

#include <cstdint>

#include <licit/scheduler/task/context.hpp>

namespace licit::inline v0 {

/// Any thread: whether one of the run's awaits (scheduler_options::budget) is left, and takes it: each `co_await` of
/// this library costs one, and with none left it yields, ready or not. True outside of a task, and in `unconstrained`
/// ones. For callables, which cannot yield: false says that it is time to spawn the rest. Wait-free.
[[nodiscard]] inline bool spend_budget() noexcept {
  run_context& here = this_context();
  if (here.budget == run_context::unlimited) return true;
  if (here.budget == 0) return false;
  --here.budget;
  return true;
}

}  // namespace licit::inline v0

#endif
