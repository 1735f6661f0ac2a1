#include "programs/tagged/mutants.hpp"
#include "programs/tagged/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure tagged_structure() {
  return structure_of<tagged_orders, tagged_programs, tagged_broken_programs>(tagged_mutants);
}

}  // namespace licit::models
