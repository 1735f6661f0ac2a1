/// The number of ready awaits in one run of a task before it lets others run.
#ifndef LICIT_SCHEDULER_BUDGET_HPP
#define LICIT_SCHEDULER_BUDGET_HPP

#include <cstdint>

#include <licit/scheduler/task/context.hpp>

namespace licit::inline v0 {

/// Any thread. Takes one of the run's awaits (scheduler_options::budget), and returns whether there was one. Each
/// `co_await` of this library that may wait costs one; with none left it yields, ready or not. Always true outside of a
/// task and in `unconstrained` scopes. A callable cannot yield: on false it should spawn the rest of its work.
/// Wait-free.
[[nodiscard]] inline bool spend_budget() noexcept { return this_context().spend(); }

}  // namespace licit::inline v0

#endif
