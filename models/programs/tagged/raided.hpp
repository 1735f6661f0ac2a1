#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RAIDED_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RAIDED_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct raided : client<Model, 3, 2> {
  static constexpr program_info about{"raided", "a thief's own deque is stolen from while it is being filled", 3,
                                      reach::bounded};

  raided() : client<Model, 3, 2>({.initial_capacity = 4}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
    } else if (i == 1) {
      this->half();
      this->pop_own();
    } else {
      this->raid(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
