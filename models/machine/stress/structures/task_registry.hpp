#ifndef LICIT_MODELS_STRESS_STRUCTURES_TASK_REGISTRY_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_TASK_REGISTRY_HPP

#include "programs/task_registry/mutants.hpp"
#include "programs/task_registry/programs.hpp"
#include "machine/stress/rows/task_registry.hpp"

namespace licit::stress {

struct task_registry {
  static constexpr const auto& table = licit::task_registry_orders;
  static constexpr const auto& rows = rows_of_task_registry::all;
  using programs = models::joined_t<models::task_registry_programs, models::task_registry_broken_programs>;
};

}  // namespace licit::stress

#endif
