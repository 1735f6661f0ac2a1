#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_WRAPS_AROUND_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_WRAPS_AROUND_HPP

#include "programs/run_queue/client.hpp"
#include "programs/run_queue/late.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct half_wraps_around : client<late<Model>, 6, 2> {
  static constexpr program_info about{"half_wraps_around", "half is stolen across the largest index, and written again",
                                      2, reach::bounded};

  half_wraps_around() : client<late<Model>, 6, 2>(4) { this->fill(0, 2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
    } else {
      this->steal_half(1, 0);
      this->pop(1);
      this->steal_half(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
