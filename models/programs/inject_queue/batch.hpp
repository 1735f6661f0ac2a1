#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct batch : client<Model, 3, 2> {
  static constexpr program_info about{"batch", "a batch that spans segments, and a taker of batches", 2,
                                      reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->template push_batch<3>(i);
    } else {
      this->template pop<2>(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
