#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_ONE_OF_TWO_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_ONE_OF_TWO_HPP

#include "programs/idle_set/one_of_two.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_one_of_two : one_of_two<wide<Model>> {
  static constexpr program_info about{"wide_one_of_two", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
