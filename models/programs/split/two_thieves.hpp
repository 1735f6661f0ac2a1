#ifndef LICIT_MODELS_PROGRAMS_SPLIT_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_TWO_THIEVES_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct two_thieves : client<Model, 3> {
  static constexpr program_info about{
      "two_thieves", "two thieves of two items, and an owner that takes back what is left", 3, reach::bounded};

  two_thieves() : client<Model, 3>({.initial_capacity = 4}) { this->offer(2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
