#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_CROWD_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_CROWD_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct crowd : client<Model, 3> {
  static constexpr program_info about{"crowd", "two thieves of two steals, and an owner that pops all it pushed", 3,
                                      reach::sampled};

  crowd() : client<Model, 3>({.initial_capacity = 4}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
      this->pop();
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
