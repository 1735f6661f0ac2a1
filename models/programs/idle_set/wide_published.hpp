#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_PUBLISHED_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_PUBLISHED_HPP

#include "programs/idle_set/published.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_published : published_by<wide<Model>, rules{}> {
  static constexpr program_info about{"wide_published", "the same with the bits in words of their own", 2, reach::none,
                                      true};
};

}  // namespace licit::models::on_idle_set

#endif
