#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_NO_ROOM_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_NO_ROOM_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct no_room : client<Model, 7> {
  static constexpr program_info about{
      "half_no_room", "the thief's deque is full and may not grow: it takes what it has room for", 2, reach::bounded};

  no_room() : client<Model, 7>({.initial_capacity = 8}, {.initial_capacity = 2, .maximum_capacity = 2}) {
    this->fill(1, 1);
    this->fill(0, 6);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->half(i);
      this->pop(i);
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
