#ifndef LICIT_MODELS_PROGRAMS_TAGGED_NO_ROOM_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_NO_ROOM_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

/// Something is thrown, which Relacy cannot have.
template <class Model>
struct no_room : client<Model, 4> {
  static constexpr program_info about{"no_room", "the thief's own deque is full and may not grow: it takes one", 2,
                                      reach::none};

  no_room() : client<Model, 4>({.initial_capacity = 4}, {.initial_capacity = 1, .maximum_capacity = 1}) {
    this->stock(), this->push(3);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      if (this->half()) Model::check(this->moved() == 0, "items moved into a full deque");
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
