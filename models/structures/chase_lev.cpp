#include "programs/chase_lev/mutants.hpp"
#include "programs/chase_lev/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure chase_lev_structure() { return structure_of<chase_lev_orders, chase_lev_programs>(chase_lev_mutants); }

}  // namespace licit::models
