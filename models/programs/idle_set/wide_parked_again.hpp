#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_PARKED_AGAIN_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_PARKED_AGAIN_HPP

#include "programs/idle_set/parked_again.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_parked_again : parked_again<wide<Model>> {
  static constexpr program_info about{"wide_parked_again", "the same with the bits in words of their own", 2,
                                      reach::bounded};
};

}  // namespace licit::models::on_idle_set

#endif
