#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_OVERFLOW_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_OVERFLOW_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct overflow : client<Model, 6, 2> {
  static constexpr program_info about{"overflow", "a full queue gives half to the sink while a thief takes from it", 2,
                                      reach::bounded};

  overflow() : client<Model, 6, 2>(2) { this->fill(0, 1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal(1, 0);
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
