#ifndef LICIT_MODELS_PROGRAMS_TAGGED_LITTLE_ROOM_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_LITTLE_ROOM_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

/// Something is thrown, which Relacy cannot have.
template <class Model>
struct little_room : client<Model, 6> {
  static constexpr program_info about{"little_room", "the thief's own deque has room for fewer items than half", 2,
                                      reach::none};

  little_room() : client<Model, 6>({.initial_capacity = 8}, {.initial_capacity = 2, .maximum_capacity = 2}) {
    this->stock(), this->push(5);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      if (this->half()) Model::check(this->moved() <= 1, "more items than there was room for");
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
