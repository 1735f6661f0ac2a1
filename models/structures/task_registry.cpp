#include "programs/task_registry/mutants.hpp"
#include "programs/task_registry/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure task_registry_structure() {
  return structure_of<task_registry_orders, task_registry_programs, task_registry_broken_programs>(
      task_registry_mutants);
}

}  // namespace licit::models
