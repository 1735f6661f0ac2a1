#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_ROOM_NOT_COUNTED_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_ROOM_NOT_COUNTED_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

/// A model whose queues take every slot for a free one.
template <class Model>
struct overfilling : Model {
  static constexpr bool counts_no_room = true;
};

template <class Model>
struct room_not_counted : client<overfilling<Model>, 8> {
  static constexpr program_info about{
      "room_not_counted", "a thief that does not count its own room copies over what it has", 2, reach::full};

  room_not_counted() : client<overfilling<Model>, 8>(4) {
    this->fill(1, 4);
    this->fill(0, 4);
  }

  void thread(unsigned i) {
    if (i == 1) this->steal_half(1, 0);
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
