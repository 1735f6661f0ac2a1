#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_TWO_THIEVES_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct two_thieves : client<Model, 4, 3> {
  static constexpr program_info about{
      "two_thieves", "two thieves of half, and an owner that pushes and pops: each item once, each thief in order", 3,
      reach::sampled};

  two_thieves() : client<Model, 4, 3>(4) { this->fill(0, 2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
    } else if (i == 1) {
      this->steal_half(1, 0);
    } else {
      this->steal_half(2, 0);
      this->pop(2);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
