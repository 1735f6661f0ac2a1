#ifndef LICIT_MODELS_PROGRAMS_TAGGED_THREE_ITEMS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_THREE_ITEMS_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct three_items : client<Model, 3> {
  static constexpr program_info about{"three_items", "three pops against a thief that takes two items at once", 2,
                                      reach::bounded};

  three_items() : client<Model, 3>({.initial_capacity = 4}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
      this->pop();
      this->pop();
    } else {
      this->half();
      this->pop_own();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
