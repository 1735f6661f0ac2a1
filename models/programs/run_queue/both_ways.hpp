#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_BOTH_WAYS_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_BOTH_WAYS_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct both_ways : client<Model, 6> {
  static constexpr program_info about{
      "both_ways", "two workers steal half of each other's queues, and so items back and forth", 2, reach::bounded};

  both_ways() : client<Model, 6>(4) {
    this->fill(0, 3);
    this->fill(1, 2);
    this->mix();
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->steal_half(0, 1);
      this->pop(0);
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
