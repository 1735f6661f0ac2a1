#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_GROWTH_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_GROWTH_TWO_THIEVES_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct growth_two_thieves : client<Model, 4> {
  static constexpr program_info about{"growth_two_thieves", "two growths under two thieves: each may hold another ring",
                                      3, reach::sampled};

  growth_two_thieves() : client<Model, 4>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->pop();
      this->push();
    } else {
      this->steal(i - 1);
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
