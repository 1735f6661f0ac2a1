#ifndef LICIT_MODELS_PROGRAMS_TAGGED_REFILL_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_REFILL_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct refill : client<Model, 2> {
  static constexpr program_info about{
      "refill", "push pop push against two steals: the thief may read what pop restored", 2, reach::bounded};

  refill() : client<Model, 2>({.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
      this->push();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
