#ifndef LICIT_MODELS_PROGRAMS_SPLIT_GROWTH_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_GROWTH_TWO_THIEVES_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct growth_two_thieves : client<Model, 4> {
  static constexpr program_info about{"growth_two_thieves", "two growths under two thieves: each may hold another ring",
                                      3, reach::sampled};

  growth_two_thieves() : client<Model, 4>({.initial_capacity = 1}) { this->offer(1); }

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
