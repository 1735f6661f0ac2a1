#ifndef LICIT_MODELS_STRESS_STRUCTURES_TAGGED_ASYMMETRIC_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_TAGGED_ASYMMETRIC_HPP

#include "programs/tagged/asymmetric.hpp"
#include "programs/tagged/mutants.hpp"
#include "machine/stress/rows/tagged_asymmetric.hpp"

namespace licit::stress {

struct tagged_asymmetric {
  static constexpr const auto& table = licit::tagged_asymmetric_orders;
  static constexpr const auto& rows = rows_of_tagged_asymmetric::all;
  using programs = models::joined_t<models::tagged_asymmetric_programs, models::tagged_asymmetric_broken_programs>;
};

}  // namespace licit::stress

#endif
