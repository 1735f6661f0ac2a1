#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_OVERWRITE_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_HALF_OVERWRITE_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct half_overwrite : client<Model, 7, 2> {
  static constexpr program_info about{
      "half_overwrite", "half of a full queue is stolen, and its slots are written again", 2, reach::bounded};

  half_overwrite() : client<Model, 7, 2>(4) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->try_push();
      this->try_push();
      this->try_push();
    } else {
      this->steal_half(1, 0);
      this->pop(1);
      this->pop(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
