#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADD_AGAINST_SWEEP_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_ADD_AGAINST_SWEEP_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct add_against_sweep : client<Model, 3> {
  static constexpr program_info about{"add_against_sweep",
                                      "a sweep keeps what is not complete, whatever comes meanwhile", 2, reach::full};

  add_against_sweep() {
    this->at(0).complete();
    this->add(0);
    this->add(1);
  }
  void thread(unsigned i) { i == 0 ? (void)this->add(2) : this->sweep(); }
  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_task_registry

#endif
