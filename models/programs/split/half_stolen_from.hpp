#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_STOLEN_FROM_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_STOLEN_FROM_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_stolen_from : half_client<Model, 5, 1> {
  static constexpr program_info about{"half_stolen_from", "a thief's own deque is stolen from while it is filled", 3,
                                      reach::sampled};

  half_stolen_from() : half_client<Model, 5, 1>({.initial_capacity = 8}) { this->offer(3); }

  void thread(unsigned i) {
    switch (i) {
      case 0: this->pop(); break;
      case 1:
        this->raid();
        this->unload();
        break;
      default:
        this->rob();
        this->rob();
        break;
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
