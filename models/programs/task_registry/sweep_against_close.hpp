#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_SWEEP_AGAINST_CLOSE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_SWEEP_AGAINST_CLOSE_HPP

#include "programs/task_registry/client.hpp"

namespace licit::models::on_task_registry {

template <class Model>
struct sweep_against_close : client<Model, 2> {
  static constexpr program_info about{
      "sweep_against_close", "what a sweep has while the registry is closed is cancelled by the sweep", 2, reach::full};

  sweep_against_close() {
    this->add(0);
    this->add(1);
  }
  void thread(unsigned i) { i == 0 ? this->sweep() : this->cancel_all(); }
  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_task_registry

#endif
