#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_AT_THE_END_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_AT_THE_END_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct batch_at_the_end : client<Model, 2, 1> {
  static constexpr program_info about{"batch_at_the_end", "a batch meets a segment that another pusher made", 2,
                                      reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->push(0);
      this->push(0);
    } else {
      this->template push_batch<1>(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
