#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_TWO_CLAIMERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_TWO_CLAIMERS_HPP

#include "programs/idle_set/two_claimers.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_two_claimers : two_claimers<wide<Model>> {
  static constexpr program_info about{"wide_two_claimers", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
