#include "programs/idle_set/mutants.hpp"
#include "programs/idle_set/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure idle_set_structure() {
  return structure_of<idle_set_orders, idle_set_programs, idle_set_broken_programs>(idle_set_mutants);
}

}  // namespace licit::models
