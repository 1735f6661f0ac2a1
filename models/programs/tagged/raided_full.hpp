#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RAIDED_FULL_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RAIDED_FULL_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct raided_full : client<Model, 4, 2> {
  static constexpr program_info about{
      "raided_full", "a thief's own deque grows for what it steals while another thief is at it", 3, reach::bounded};

  raided_full() : client<Model, 4, 2>({.initial_capacity = 4}, {.initial_capacity = 1}) {
    this->stock(), this->push(3);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else if (i == 1) {
      this->half();
    } else {
      this->raid(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
