#ifndef LICIT_MODELS_PROGRAMS_SPLIT_GROWTH_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_GROWTH_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct growth : client<Model, 3> {
  static constexpr program_info about{
      "growth", "a growth while a thief steals: no item is forgotten, no ring's fields race", 2, reach::bounded};

  growth() : client<Model, 3>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal();
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
