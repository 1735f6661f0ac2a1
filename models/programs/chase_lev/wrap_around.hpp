#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_WRAP_AROUND_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_WRAP_AROUND_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct wrap_around : client<Model, 5> {
  static constexpr program_info about{"wrap_around", "push, pop and steal on a ring of two: slots are overwritten", 2,
                                      reach::bounded};

  wrap_around() : client<Model, 5>({.initial_capacity = 2, .maximum_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
      this->push();
      this->pop();
      this->push();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
