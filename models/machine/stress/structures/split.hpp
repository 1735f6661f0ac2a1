#ifndef LICIT_MODELS_STRESS_STRUCTURES_SPLIT_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_SPLIT_HPP

#include "programs/split/mutants.hpp"
#include "programs/split/programs.hpp"
#include "machine/stress/rows/split.hpp"

namespace licit::stress {

struct split {
  static constexpr const auto& table = licit::split_orders;
  static constexpr const auto& rows = rows_of_split::all;
  using programs = models::joined_t<models::split_programs, models::split_broken_programs>;
};

}  // namespace licit::stress

#endif
