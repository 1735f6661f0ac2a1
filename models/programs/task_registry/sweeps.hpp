#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_SWEEPS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_SWEEPS_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct sweeps : client<Model, 2> {
  static constexpr program_info about{"sweeps", "two sweeps at once: each task is in the hands of one of them", 2,
                                      reach::full};

  sweeps() {
    this->at(0).complete();
    this->add(0);
    this->add(1);
  }
  void thread(unsigned /*both*/) { this->sweep(); }
  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_task_registry

#endif
