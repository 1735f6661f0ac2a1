#ifndef LICIT_MODELS_STRESS_STRUCTURES_CHASE_LEV_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_CHASE_LEV_HPP

#include "programs/chase_lev/programs.hpp"
#include "programs/steal_half/mutants.hpp"
#include "programs/steal_half/programs.hpp"
#include "machine/stress/rows/chase_lev.hpp"

namespace licit::stress {

struct chase_lev {
  static constexpr const auto& table = licit::chase_lev_orders;
  static constexpr const auto& rows = rows_of_chase_lev::all;
  using programs = models::joined_t<models::joined_t<models::chase_lev_programs, models::steal_half_programs>,
                                    models::steal_half_broken_programs>;
};

}  // namespace licit::stress

#endif
