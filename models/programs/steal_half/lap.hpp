#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_LAP_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_LAP_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct lap : client<Model, 7> {
  static constexpr program_info about{"half_lap", "a ring of four that is full: slots are overwritten behind the thief",
                                      2, reach::bounded};

  lap() : client<Model, 7>({.initial_capacity = 4, .maximum_capacity = 4}, {.initial_capacity = 2}) {
    this->fill(0, 4);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(4);
      this->push(4);
      this->push(4);
    } else {
      this->half(i);
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
