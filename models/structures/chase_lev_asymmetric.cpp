#include "programs/chase_lev/asymmetric.hpp"
#include "programs/chase_lev/asymmetric_mutants.hpp"
#include "programs/steal_half/singly.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure chase_lev_asymmetric_structure() {
  return structure_of<chase_lev_asymmetric_orders, joined_t<chase_lev_asymmetric_programs, steal_half_singly_programs>,
                      chase_lev_asymmetric_broken_programs, false>(chase_lev_asymmetric_mutants, no_asymmetric_fences);
}

}  // namespace licit::models
