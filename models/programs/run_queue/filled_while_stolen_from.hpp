#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_FILLED_WHILE_STOLEN_FROM_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_FILLED_WHILE_STOLEN_FROM_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct filled_while_stolen_from : client<Model, 3, 3> {
  static constexpr program_info about{"filled_while_stolen_from",
                                      "a thief's own queue is stolen from while it is being filled", 3, reach::bounded};

  filled_while_stolen_from() : client<Model, 3, 3>(4) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
    } else if (i == 1) {
      this->steal_half(1, 0);
      this->pop(1);
    } else {
      this->steal(2, 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
