#include "programs/task_state/mutants.hpp"
#include "programs/task_state/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure task_state_structure() {
  return structure_of<task_state_orders, task_state_programs, task_state_broken_programs, false>(
      task_state_mutants, "Relacy has no futex, on which threads wait for a task");
}

}  // namespace licit::models
