#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_TWO_HALVES_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_TWO_HALVES_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct two_halves : client<Model, 4, 2> {
  static constexpr program_info about{"two_halves", "half, and half of the rest, of a queue whose owner pops", 2,
                                      reach::bounded};

  two_halves() : client<Model, 4, 2>(4) { this->fill(0, 3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->steal_half(1, 0);
      this->steal_half(1, 0);
      this->pop(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
