#ifndef LICIT_MODELS_STRESS_STRUCTURES_CREW_ASYMMETRIC_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_CREW_ASYMMETRIC_HPP

#include "programs/crew/mutants.hpp"
#include "programs/crew/programs.hpp"
#include "machine/stress/rows/crew_asymmetric.hpp"

namespace licit::stress {

struct crew_asymmetric {
  static constexpr const auto& table = licit::crew_asymmetric_orders;
  static constexpr const auto& rows = rows_of_crew_asymmetric::all;
  using programs = models::crew_asymmetric_programs;
};

}  // namespace licit::stress

#endif
