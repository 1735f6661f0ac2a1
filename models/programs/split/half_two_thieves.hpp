#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_TWO_THIEVES_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_two_thieves : half_client<Model, 5, 2> {
  static constexpr program_info about{"half_two_thieves", "two thieves of half, and an owner that takes back", 3,
                                      reach::sampled};

  half_two_thieves() : half_client<Model, 5, 2>({.initial_capacity = 8}) { this->offer(3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      this->raid(i - 1);
      this->unload(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
