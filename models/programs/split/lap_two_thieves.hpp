#ifndef LICIT_MODELS_PROGRAMS_SPLIT_LAP_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_LAP_TWO_THIEVES_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct lap_two_thieves : client<Model, 4> {
  static constexpr program_info about{"lap_two_thieves", "two thieves on a ring of two that is overwritten under them",
                                      3, reach::sampled};

  lap_two_thieves() : client<Model, 4>({.initial_capacity = 2, .maximum_capacity = 2}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
    } else {
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
