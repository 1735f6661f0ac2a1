#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_BESIDE_OTHERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_BESIDE_OTHERS_HPP

#include "programs/idle_set/retracted_beside_others.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_retracted_beside_others : retracted_beside_others<wide<Model, 2>> {
  static constexpr program_info about{"wide_retracted_beside_others", "the same with the bits in a word of their own",
                                      2, reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
