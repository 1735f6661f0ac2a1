#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_GROWTH_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_GROWTH_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct growth : client<Model, 3> {
  static constexpr program_info about{
      "growth", "two growths while a thief steals: no item is forgotten, no ring's fields race", 2, reach::bounded};

  growth() : client<Model, 3>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
