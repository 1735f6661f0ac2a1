#include "programs/chase_lev/mutants.hpp"
#include "programs/chase_lev/programs.hpp"
#include "programs/steal_half/mutants.hpp"
#include "programs/steal_half/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure chase_lev_structure() {
  static constexpr auto mutants = joined(chase_lev_mutants, steal_half_mutants);
  return structure_of<chase_lev_orders, joined_t<chase_lev_programs, steal_half_programs>, steal_half_broken_programs>(
      mutants);
}

}  // namespace licit::models
