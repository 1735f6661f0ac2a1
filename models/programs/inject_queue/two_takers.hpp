#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TWO_TAKERS_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TWO_TAKERS_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct two_takers : client<Model, 2, 3, 3> {
  static constexpr program_info about{"two_takers", "two takers and a pusher", 3, reach::sampled};

  two_takers() { this->push(0); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(i);
    } else if (i == 1) {
      this->pop(i);
    } else {
      this->pop(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
