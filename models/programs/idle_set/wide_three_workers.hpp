#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_THREE_WORKERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_THREE_WORKERS_HPP

#include "programs/idle_set/three_workers.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_three_workers : three_workers<wide<Model, 2>> {
  static constexpr program_info about{"wide_three_workers", "the same with the bits in words of their own", 3,
                                      reach::bounded};
};

}  // namespace licit::models::on_idle_set

#endif
