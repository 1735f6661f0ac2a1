#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ALL_AT_ONCE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ALL_AT_ONCE_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct all_at_once : client<Model, 2> {
  static constexpr program_info about{"all_at_once", "adding, sweeping and closing", 3, reach::full};

  all_at_once() { this->add(0); }
  void thread(unsigned i) {
    if (i == 0) {
      this->add(1);
    } else if (i == 1) {
      this->sweep();
    } else {
      this->cancel_all();
    }
  }
  void finish() { this->settle(3); }
};

}  // namespace licit::models::on_task_registry

#endif
