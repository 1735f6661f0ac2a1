#ifndef LICIT_MODELS_PROGRAMS_SPLIT_EMPTY_POP_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_EMPTY_POP_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct empty_pop : client<Model, 1> {
  static constexpr program_info about{
      "empty_pop", "pops on an empty deque, before and after an item that a thief may take", 2, reach::full};

  empty_pop() : client<Model, 1>({.initial_capacity = 1}) { this->ask(); }

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

}  // namespace licit::models::on_split

#endif
