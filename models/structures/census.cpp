#include "programs/census/mutants.hpp"
#include "programs/census/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure census_structure() {
  return structure_of<census_orders, census_programs, program_list<>, false>(census_mutants, no_asymmetric_fences);
}

}  // namespace licit::models
