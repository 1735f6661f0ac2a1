#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_LAST_ITEM_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_LAST_ITEM_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct last_item : client<Model, 1, 2> {
  static constexpr program_info about{"last_item", "owner and thief race for the last item: one of them gets it", 2,
                                      reach::full};

  last_item() : client<Model, 1, 2>(2) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
