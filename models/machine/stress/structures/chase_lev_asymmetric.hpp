#ifndef LICIT_MODELS_STRESS_STRUCTURES_CHASE_LEV_ASYMMETRIC_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_CHASE_LEV_ASYMMETRIC_HPP

#include "programs/chase_lev/asymmetric.hpp"
#include "programs/chase_lev/asymmetric_mutants.hpp"
#include "programs/steal_half/singly.hpp"
#include "machine/stress/rows/chase_lev_asymmetric.hpp"

namespace licit::stress {

struct chase_lev_asymmetric {
  static constexpr const auto& table = licit::chase_lev_asymmetric_orders;
  static constexpr const auto& rows = rows_of_chase_lev_asymmetric::all;
  using programs =
      models::joined_t<models::joined_t<models::chase_lev_asymmetric_programs, models::steal_half_singly_programs>,
                       models::chase_lev_asymmetric_broken_programs>;
};

}  // namespace licit::stress

#endif
