#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_KEEPS_LINKS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_KEEPS_LINKS_HPP

#include "programs/task_registry/all_at_once.hpp"

namespace licit::models::on_task_registry {

/// A model in which a chain that is refused is still linked to what it was to be put before.
template <class Model>
struct untidy : Model {
  static constexpr bool keeps_links = true;
};

template <class Model>
struct keeps_links : all_at_once<untidy<Model>> {
  static constexpr program_info about{"keeps_links", "a sweep that cancels others' tasks with its own", 3, reach::none};
};

}  // namespace licit::models::on_task_registry

#endif
