#ifndef LICIT_MODELS_PROGRAMS_SPLIT_TAKEN_BACK_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_TAKEN_BACK_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct taken_back : client<Model, 5> {
  static constexpr program_info about{
      "taken_back", "the owner takes half of what is public back, and then the rest, while a thief steals twice", 2,
      reach::bounded};

  taken_back() : client<Model, 5>({.initial_capacity = 8}) { this->offer(3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
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
