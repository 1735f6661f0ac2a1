#ifndef LICIT_MODELS_STRESS_STRUCTURES_TASK_STATE_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_TASK_STATE_HPP

#include "programs/task_state/mutants.hpp"
#include "programs/task_state/programs.hpp"
#include "machine/stress/rows/task_state.hpp"

namespace licit::stress {

struct task_state {
  static constexpr const auto& table = licit::task_state_orders;
  static constexpr const auto& rows = rows_of_task_state::all;
  using programs = models::joined_t<models::task_state_programs, models::task_state_broken_programs>;
};

}  // namespace licit::stress

#endif
