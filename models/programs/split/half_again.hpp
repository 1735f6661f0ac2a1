#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_AGAIN_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_AGAIN_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_again : half_client<Model, 5, 1> {
  static constexpr program_info about{
      "half_again", "two raids and a request: what the second brings lies above what the first did", 2, reach::sampled};

  half_again() : half_client<Model, 5, 1>({.initial_capacity = 4}) { this->ask(); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->push();
    } else {
      this->raid();
      this->raid();
      this->unload();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
