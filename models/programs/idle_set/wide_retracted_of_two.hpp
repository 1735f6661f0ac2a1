#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_OF_TWO_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_RETRACTED_OF_TWO_HPP

#include "programs/idle_set/retracted_of_two.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

/// Relacy may let a claimer read old values for ever while it looks for its bit.
template <class Model>
struct wide_retracted_of_two : retracted_of_two<wide<Model>> {
  static constexpr program_info about{"wide_retracted_of_two", "the same with the bits in words of their own", 3,
                                      reach::none};
};

}  // namespace licit::models::on_idle_set

#endif
