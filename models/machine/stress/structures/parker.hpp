#ifndef LICIT_MODELS_STRESS_STRUCTURES_PARKER_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_PARKER_HPP

#include "programs/parker/mutants.hpp"
#include "programs/parker/programs.hpp"
#include "machine/stress/rows/parker.hpp"

namespace licit::stress {

struct parker {
  static constexpr const auto& table = licit::parker_orders;
  static constexpr const auto& rows = rows_of_parker::all;
  using programs = models::joined_t<models::parker_programs, models::parker_broken_programs>;
};

}  // namespace licit::stress

#endif
