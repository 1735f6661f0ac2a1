#ifndef LICIT_MODELS_PROGRAMS_TAGGED_WRAP_AROUND_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_WRAP_AROUND_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct wrap_around : client<Model, 5> {
  static constexpr program_info about{"wrap_around", "push, pop and steal on a ring of two: slots are overwritten", 2,
                                      reach::bounded};

  wrap_around() : client<Model, 5>({.initial_capacity = 2, .maximum_capacity = 2}) { this->push(2); }

  void thread(unsigned i) {
    if (i == 0) {
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

}  // namespace licit::models::on_tagged

#endif
