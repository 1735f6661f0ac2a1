#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADDERS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADDERS_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct adders : client<Model, 2> {
  static constexpr program_info about{"adders", "two threads add at once: both tasks are there", 2, reach::full};

  void thread(unsigned i) { this->add(i); }
  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_task_registry

#endif
