#ifndef LICIT_MODELS_PROGRAMS_SPLIT_LAST_PUBLIC_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_LAST_PUBLIC_TWO_THIEVES_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct last_public_two_thieves : client<Model, 1> {
  static constexpr program_info about{"last_public_two_thieves",
                                      "owner and two thieves race for the last item, a public one", 3, reach::bounded};

  last_public_two_thieves() : client<Model, 1>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
