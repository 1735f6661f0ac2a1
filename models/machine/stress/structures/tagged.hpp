#ifndef LICIT_MODELS_STRESS_STRUCTURES_TAGGED_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_TAGGED_HPP

#include "programs/tagged/mutants.hpp"
#include "programs/tagged/programs.hpp"
#include "machine/stress/rows/tagged.hpp"

namespace licit::stress {

struct tagged {
  static constexpr const auto& table = licit::tagged_orders;
  static constexpr const auto& rows = rows_of_tagged::all;
  using programs = models::joined_t<models::tagged_programs, models::tagged_broken_programs>;
};

}  // namespace licit::stress

#endif
