#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_OVERWRITE_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_OVERWRITE_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct overwrite : client<Model, 2> {
  static constexpr program_info about{
      "half_overwrite", "one slot: the owner overwrites it only after the thief has read it", 2, reach::full};

  overwrite() : client<Model, 2>({.initial_capacity = 1, .maximum_capacity = 1}, {.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push(1);
      this->push(1);
    } else {
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
