#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_EMPTY_POP_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_EMPTY_POP_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct empty_pop : client<Model, 1, 2> {
  static constexpr program_info about{
      "empty_pop", "pops on an empty queue, before and after an item that a thief may take", 2, reach::full};

  empty_pop() : client<Model, 1, 2>(2) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
      this->pop();
    } else {
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
