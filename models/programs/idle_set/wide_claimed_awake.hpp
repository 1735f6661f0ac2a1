#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_CLAIMED_AWAKE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_CLAIMED_AWAKE_HPP

#include "programs/idle_set/claimed_awake.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_claimed_awake : claimed_awake<wide<Model>> {
  static constexpr program_info about{"wide_claimed_awake", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
