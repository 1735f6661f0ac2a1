#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_SHARE_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_SHARE_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct share : client<Model, 3> {
  static constexpr program_info about{"half_share", "three pushed, half taken into a deque of two, and popped there", 2,
                                      reach::bounded};

  share() : client<Model, 3>({.initial_capacity = 4}, {.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
    } else {
      this->half(i);
      this->pop(i);
      this->pop(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
