#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_DESTRUCTION_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_DESTRUCTION_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct destruction : client<Model, 5, 2> {
  static constexpr program_info about{"destruction", "items left in both queues: all memory comes back when they go", 2,
                                      reach::bounded};

  destruction() : client<Model, 5, 2>(4) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->push();
    } else {
      this->steal_half(1, 0);
    }
  }

  void finish() {
    Model::check(this->left(0) + this->left(1) <= static_cast<std::size_t>(this->pushed()),
                 "more items left than were pushed");
  }
};

}  // namespace licit::models::on_run_queue

#endif
