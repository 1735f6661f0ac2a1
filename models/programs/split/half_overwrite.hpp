#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_OVERWRITE_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_OVERWRITE_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_overwrite : half_client<Model, 13, 1> {
  static constexpr program_info about{
      "half_overwrite", "the slots of a raid are overwritten only after all of them were read", 2, reach::bounded};

  half_overwrite() : half_client<Model, 13, 1>({.initial_capacity = 8, .maximum_capacity = 8}) {
    this->offer(4);
    for (int more = 0; more != 4; ++more) this->push();
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
    } else {
      this->raid();
      this->unload();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
