#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_OWN_GROWTH_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_OWN_GROWTH_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct own_growth : client<Model, 4> {
  static constexpr program_info about{"half_own_growth", "the thief's deque grows while it is filled and stolen from",
                                      3, reach::bounded};

  own_growth() : client<Model, 4>({.initial_capacity = 4}, {.initial_capacity = 1}) {
    this->fill(1, 1);
    this->fill(0, 3);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else if (i == 1) {
      this->half(i);
    } else {
      this->steal(i, 1);
      this->steal(i, 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
