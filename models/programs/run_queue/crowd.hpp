#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_CROWD_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_CROWD_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct crowd : client<Model, 6, 3> {
  static constexpr program_info about{
      "crowd", "an owner that pushes, pops and overflows, under a thief of half who is robbed in turn", 3,
      reach::sampled};

  crowd() : client<Model, 6, 3>(4) { this->fill(0, 3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
    } else if (i == 1) {
      this->steal_half(1, 0);
      this->pop(1);
      this->steal_half(1, 0);
    } else {
      this->steal_half(2, 1);
      this->steal(2, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
