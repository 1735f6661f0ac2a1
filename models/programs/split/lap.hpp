#ifndef LICIT_MODELS_PROGRAMS_SPLIT_LAP_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_LAP_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct lap : client<Model, 4> {
  static constexpr program_info about{"lap", "a ring of two whose slots are overwritten while a thief steals twice", 2,
                                      reach::bounded};

  lap() : client<Model, 4>({.initial_capacity = 2, .maximum_capacity = 2}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
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
