#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_OF_GROWING_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_OF_GROWING_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_of_growing : half_client<Model, 11, 1> {
  static constexpr program_info about{"half_of_growing", "the victim grows under a raid of two", 2, reach::bounded};

  half_of_growing() : half_client<Model, 11, 1>({.initial_capacity = 8}) {
    this->offer(3);
    for (int more = 0; more != 5; ++more) this->push();
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
    } else {
      this->raid();
      this->unload();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
