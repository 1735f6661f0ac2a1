#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_RENEWAL_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_RENEWAL_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

/// Not for Relacy, which does not order seq_cst accesses with seq_cst fences.
template <class Model>
struct renewal : client<Model, 5> {
  static constexpr program_info about{
      "half_renewal", "the owner pops two and pushes others in their place, between a thief's claims", 2, reach::none};

  renewal() : client<Model, 5>({.initial_capacity = 4}, {.initial_capacity = 2}) { this->fill(0, 3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
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
