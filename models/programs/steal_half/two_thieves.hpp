#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_TWO_THIEVES_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

/// Not for Relacy, which does not order seq_cst accesses with seq_cst fences.
template <class Model>
struct two_thieves : client<Model, 3, 3> {
  static constexpr program_info about{"half_two_thieves", "two thieves take half, and the owner pops", 3, reach::none};

  two_thieves() : client<Model, 3, 3>({.initial_capacity = 4}, {.initial_capacity = 2}) { this->fill(0, 3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else if (i == 1) {
      this->half(i);
    } else {
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
