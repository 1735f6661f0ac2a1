#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct half : client<Model, 4, 2> {
  static constexpr program_info about{"half", "half is stolen while it is pushed and popped", 2, reach::bounded};

  half() : client<Model, 4, 2>(4) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal_half(1, 0);
      this->pop(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
