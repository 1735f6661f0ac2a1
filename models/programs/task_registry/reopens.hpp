#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_REOPENS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_REOPENS_HPP

#include "programs/task_registry/sweep_against_close.hpp"

namespace licit::models::on_task_registry {

/// A model in which a chain is put back without a look whether the registry was closed.
template <class Model>
struct careless : Model {
  static constexpr bool reopens = true;
};

template <class Model>
struct reopens : sweep_against_close<careless<Model>> {
  static constexpr program_info about{"reopens", "a sweep that puts its tasks back into a closed registry", 2,
                                      reach::none};
};

}  // namespace licit::models::on_task_registry

#endif
