#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_STOLEN_ON_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_STOLEN_ON_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct stolen_on : client<Model, 4, 3> {
  static constexpr program_info about{
      "stolen_on", "half of a thief's own queue is stolen on: what came with it is visible", 3, reach::bounded};

  stolen_on() : client<Model, 4, 3>(4) {
    this->fill(0, 3);
    this->fill(1, 1);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else if (i == 1) {
      this->steal_half(1, 0);
    } else {
      this->steal_half(2, 1);
      this->pop(2);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
