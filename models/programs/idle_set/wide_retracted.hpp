#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_HPP

#include "programs/idle_set/retracted.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_retracted : retracted<wide<Model>> {
  static constexpr program_info about{"wide_retracted", "the same with the bits in words of their own", 2, reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
