#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_OVERTAKEN_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_BATCH_OVERTAKEN_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct batch_overtaken : client<Model, 3, 3> {
  static constexpr program_info about{
      "batch_overtaken", "a taker comes before the items of a batch: they stay in order", 2, reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->template push_batch<2>(i);
    } else {
      this->template pop<2>(i);
      this->template pop<2>(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
