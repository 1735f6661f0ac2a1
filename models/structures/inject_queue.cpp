#include "programs/inject_queue/mutants.hpp"
#include "programs/inject_queue/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure inject_queue_structure() {
  return structure_of<inject_queue_orders, inject_queue_programs, inject_queue_broken_programs>(inject_queue_mutants);
}

}  // namespace licit::models
