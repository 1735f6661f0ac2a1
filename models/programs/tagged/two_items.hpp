#ifndef LICIT_MODELS_PROGRAMS_TAGGED_TWO_ITEMS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_TWO_ITEMS_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct two_items : client<Model, 2> {
  static constexpr program_info about{
      "two_items", "push push pop pop against two steals: a thief may read either store of pop", 2, reach::bounded};

  two_items() : client<Model, 2>({.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->pop();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
