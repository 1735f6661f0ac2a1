#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_OVERFLOW_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_OVERFLOW_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct half_overflow : client<Model, 7, 2> {
  static constexpr program_info about{"half_overflow", "a full queue gives half to the sink while a thief takes half",
                                      2, reach::bounded};

  half_overflow() : client<Model, 7, 2>(4) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
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
