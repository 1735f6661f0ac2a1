#ifndef LICIT_MODELS_STRESS_STRUCTURES_IDLE_SET_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_IDLE_SET_HPP

#include "programs/idle_set/mutants.hpp"
#include "programs/idle_set/programs.hpp"
#include "machine/stress/rows/idle_set.hpp"

namespace licit::stress {

struct idle_set {
  static constexpr const auto& table = licit::idle_set_orders;
  static constexpr const auto& rows = rows_of_idle_set::all;
  using programs = models::joined_t<models::idle_set_programs, models::idle_set_broken_programs>;
};

}  // namespace licit::stress

#endif
