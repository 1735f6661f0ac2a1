#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_TWO_THIEVES_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct two_thieves : client<Model, 3> {
  static constexpr program_info about{
      "two_thieves", "two thieves and an owner that pops once: each item once, each thief in order", 3, reach::bounded};

  two_thieves() : client<Model, 3>({.initial_capacity = 4}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal(i - 1);
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
