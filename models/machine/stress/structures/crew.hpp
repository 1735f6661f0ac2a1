#ifndef LICIT_MODELS_STRESS_STRUCTURES_CREW_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_CREW_HPP

#include "programs/crew/mutants.hpp"
#include "programs/crew/programs.hpp"
#include "machine/stress/rows/crew.hpp"

namespace licit::stress {

struct crew {
  static constexpr const auto& table = licit::crew_orders;
  static constexpr const auto& rows = rows_of_crew::all;
  using programs = models::joined_t<models::crew_programs, models::crew_broken_programs>;
};

}  // namespace licit::stress

#endif
