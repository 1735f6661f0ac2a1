#ifndef LICIT_MODELS_STRESS_STRUCTURES_CENSUS_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_CENSUS_HPP

#include "programs/census/mutants.hpp"
#include "programs/census/programs.hpp"
#include "machine/stress/rows/census.hpp"

namespace licit::stress {

struct census {
  static constexpr const auto& table = licit::census_orders;
  static constexpr const auto& rows = rows_of_census::all;
  using programs = models::census_programs;
};

}  // namespace licit::stress

#endif
