#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TWO_PUSHERS_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TWO_PUSHERS_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct two_pushers : client<Model, 1, 1, 3> {
  static constexpr program_info about{"two_pushers", "two pushers and a taker that may come before them", 3,
                                      reach::sampled};

  void thread(unsigned i) {
    if (i == 0) {
      this->push(i);
    } else if (i == 1) {
      this->push(i);
    } else {
      this->pop(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
