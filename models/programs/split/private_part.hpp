#ifndef LICIT_MODELS_PROGRAMS_SPLIT_PRIVATE_PART_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_PRIVATE_PART_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct private_part : client<Model, 2> {
  static constexpr program_info about{
      "private_part", "two items and two steals: the owner publishes one, and takes it back", 2, reach::bounded};

  private_part() : client<Model, 2>({.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->pop();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
