#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_ROOM_MADE_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_ROOM_MADE_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct room_made : client<Model, 6, 3> {
  static constexpr program_info about{"room_made", "a thief's full queue is stolen from while it looks for room there",
                                      3, reach::bounded};

  room_made() : client<Model, 6, 3>(2) {
    this->fill(1, 2);
    this->fill(0, 2);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
    } else if (i == 1) {
      this->pop(1);
      this->steal_half(1, 0);
      this->steal_half(1, 0);
    } else {
      this->steal(2, 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
