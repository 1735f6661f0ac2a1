#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_ROBBED_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_ROBBED_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct robbed : client<Model, 4> {
  static constexpr program_info about{"half_robbed", "the thief's deque is stolen from while it is filled and popped",
                                      3, reach::bounded};

  robbed() : client<Model, 4>({.initial_capacity = 4}, {.initial_capacity = 2}) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else if (i == 1) {
      this->half(i);
      this->pop(i);
    } else {
      this->steal(i, 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
