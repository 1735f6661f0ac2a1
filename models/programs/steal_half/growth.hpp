#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_GROWTH_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_GROWTH_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct growth : client<Model, 4> {
  static constexpr program_info about{"half_growth",
                                      "the victim grows twice meanwhile: no item is forgotten, no ring's fields race",
                                      2, reach::bounded};

  growth() : client<Model, 4>({.initial_capacity = 1}, {.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->push();
    } else {
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
