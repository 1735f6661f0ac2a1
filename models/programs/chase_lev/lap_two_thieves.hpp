#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_LAP_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_LAP_TWO_THIEVES_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct lap_two_thieves : client<Model, 4> {
  static constexpr program_info about{"lap_two_thieves", "two thieves on a ring of two that is overwritten under them",
                                      3, reach::sampled};

  lap_two_thieves() : client<Model, 4>({.initial_capacity = 2, .maximum_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
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
