#ifndef LICIT_MODELS_STRESS_STRUCTURES_LIFO_SLOT_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_LIFO_SLOT_HPP

#include "programs/lifo_slot/mutants.hpp"
#include "programs/lifo_slot/programs.hpp"
#include "machine/stress/rows/lifo_slot.hpp"

namespace licit::stress {

struct lifo_slot {
  static constexpr const auto& table = licit::lifo_slot_orders;
  static constexpr const auto& rows = rows_of_lifo_slot::all;
  using programs = models::joined_t<models::lifo_slot_programs, models::lifo_slot_broken_programs>;
};

}  // namespace licit::stress

#endif
