#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_RECLAIM_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_RECLAIM_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

/// Not for Relacy, which does not order seq_cst accesses with seq_cst fences.
template <class Model>
struct reclaim : client<Model, 3> {
  static constexpr program_info about{"half_reclaim", "the owner pops down to what a thief is taking, one by one", 2,
                                      reach::none};

  reclaim() : client<Model, 3>({.initial_capacity = 4}, {.initial_capacity = 2}) { this->fill(0, 3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
