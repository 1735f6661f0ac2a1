#ifndef LICIT_MODELS_PROGRAMS_SPLIT_REQUEST_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_REQUEST_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct request : client<Model, 2> {
  static constexpr program_info about{
      "request", "a thief asks, the owner pushes, pops and pushes: what is published is taken once", 2, reach::bounded};

  request() : client<Model, 2>({.initial_capacity = 2}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
      this->push();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
