#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_CAPPED_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_CAPPED_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct capped : client<Model, 4> {
  static constexpr program_info about{"half_capped", "not more than asked for, and never none", 2, reach::bounded};

  capped() : client<Model, 4>({.initial_capacity = 4}, {.initial_capacity = 2}) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->half(i, 0, 1);
      this->half(i, 0, 2);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
