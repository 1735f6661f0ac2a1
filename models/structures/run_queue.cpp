#include "programs/run_queue/mutants.hpp"
#include "programs/run_queue/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure run_queue_structure() {
  return structure_of<run_queue_orders, run_queue_programs, run_queue_broken_programs>(run_queue_mutants);
}

}  // namespace licit::models
