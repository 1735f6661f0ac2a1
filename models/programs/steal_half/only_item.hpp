#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_ONLY_ITEM_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_ONLY_ITEM_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct only_item : client<Model, 1> {
  static constexpr program_info about{"half_only_item", "owner and thief race for the only item: one of them gets it",
                                      2, reach::full};

  only_item() : client<Model, 1>({.initial_capacity = 1}, {.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->half(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_steal_half

#endif
