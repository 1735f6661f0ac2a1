#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half : half_client<Model, 6, 1> {
  static constexpr program_info about{"half", "half of three by one claim, while the owner takes them back", 2,
                                      reach::bounded};

  half() : half_client<Model, 6, 1>({.initial_capacity = 8}) { this->offer(3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
    } else {
      this->raid();
      this->unload();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
