#include "programs/crew/mutants.hpp"
#include "programs/crew/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure crew_structure() {
  return structure_of<crew_orders, crew_programs, crew_broken_programs, false>(
      crew_mutants, "its programs hold the inject queue's specification, under the exhaustive checker's own lock");
}

structure crew_asymmetric_structure() {
  return structure_of<crew_asymmetric_orders, crew_asymmetric_programs, program_list<>, false>(crew_asymmetric_mutants,
                                                                                               no_asymmetric_fences);
}

}  // namespace licit::models
