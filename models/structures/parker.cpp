#include "programs/parker/mutants.hpp"
#include "programs/parker/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure parker_structure() {
  return structure_of<parker_orders, parker_programs, parker_broken_programs>(parker_mutants);
}

}  // namespace licit::models
