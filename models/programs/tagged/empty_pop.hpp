#ifndef LICIT_MODELS_PROGRAMS_TAGGED_EMPTY_POP_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_EMPTY_POP_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct empty_pop : client<Model, 1> {
  static constexpr program_info about{
      "empty_pop", "pops on an empty deque, before and after an item that a thief may take", 2, reach::full};

  empty_pop() : client<Model, 1>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
      this->pop();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
