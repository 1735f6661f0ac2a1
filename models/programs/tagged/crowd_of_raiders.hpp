#ifndef LICIT_MODELS_PROGRAMS_TAGGED_CROWD_OF_RAIDERS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_CROWD_OF_RAIDERS_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct crowd_of_raiders : client<Model, 5, 2> {
  static constexpr program_info about{
      "crowd_of_raiders", "a victim, a thief that halves and pops, and one that steals from both", 3, reach::sampled};

  crowd_of_raiders() : client<Model, 5, 2>({.initial_capacity = 4}, {.initial_capacity = 1}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
      this->pop();
    } else if (i == 1) {
      this->half();
      this->pop_own();
    } else {
      this->raid(1, 0);
      this->half(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
