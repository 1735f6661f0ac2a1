#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_LITTLE_ROOM_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_LITTLE_ROOM_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct little_room : client<Model, 7, 2> {
  static constexpr program_info about{
      "little_room", "a thief with room for one moves one, and with room for none takes one", 2, reach::bounded};

  little_room() : client<Model, 7, 2>(4) {
    this->fill(1, 3);
    this->fill(0, 4);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->steal_half(1, 0);
      this->steal_half(1, 0);
      this->pop(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
