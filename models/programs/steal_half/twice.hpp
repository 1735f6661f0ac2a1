#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_TWICE_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_TWICE_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

/// Not for Relacy, which does not order seq_cst accesses with seq_cst fences.
template <class Model>
struct twice : client<Model, 4> {
  static constexpr program_info about{
      "half_twice", "a second theft starts where the first one ended, and the owner pops meanwhile", 2, reach::none};

  twice() : client<Model, 4>({.initial_capacity = 4}, {.initial_capacity = 4}) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
    } else {
      this->half(i);
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
