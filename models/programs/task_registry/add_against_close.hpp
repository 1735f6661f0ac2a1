#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADD_AGAINST_CLOSE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADD_AGAINST_CLOSE_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct add_against_close : client<Model, 2> {
  static constexpr program_info about{"add_against_close", "a task is refused, or cancelled", 2, reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->add(0);
      this->add(1);
    } else {
      this->cancel_all();
    }
  }
  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_task_registry

#endif
