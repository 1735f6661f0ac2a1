#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PUSHERS_AND_TAKER_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PUSHERS_AND_TAKER_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct pushers_and_taker : client<Model, 2, 1> {
  static constexpr program_info about{"pushers_and_taker", "a segment that a late pusher has a ticket of is not freed",
                                      2, reach::bounded};

  pushers_and_taker() { this->push(0); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(0);
      this->pop(0);
      this->pop(0);
    } else {
      this->push(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
