#ifndef LICIT_MODELS_PROGRAMS_SPLIT_CROWD_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_CROWD_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct crowd : client<Model, 4> {
  static constexpr program_info about{"crowd", "two thieves of two steals, and an owner that pops, pushes and pops", 3,
                                      reach::sampled};

  crowd() : client<Model, 4>({.initial_capacity = 4}) { this->offer(2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
    } else {
      this->steal(i - 1);
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
