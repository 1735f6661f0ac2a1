#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_MUTUAL_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_MUTUAL_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct mutual : client<Model, 6, 2, taking::from_each_other> {
  static constexpr program_info about{"half_mutual", "two owners take half of each other's deque at once", 2,
                                      reach::bounded};

  mutual() : client<Model, 6, 2, taking::from_each_other>({.initial_capacity = 4}, {.initial_capacity = 4}) {
    this->fill(0, 3);
    this->fill(1, 3);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->half(i, 1);
      this->pop(i);
    } else {
      this->half(i, 0);
      this->pop(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
