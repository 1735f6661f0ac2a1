#ifndef LICIT_MODELS_PROGRAMS_TAGGED_CROWD_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_CROWD_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct crowd : client<Model, 6, 2> {
  static constexpr program_info about{
      "crowd", "a thief of two halves, one of one, and an owner that pops, pushes and pops", 3, reach::sampled};

  crowd() : client<Model, 6, 2>({.initial_capacity = 8}, {.initial_capacity = 1}) { this->push(5); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->push();
      this->pop();
    } else if (i == 1) {
      this->half();
      this->half();
    } else {
      this->half(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
