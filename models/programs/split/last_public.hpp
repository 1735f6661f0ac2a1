#ifndef LICIT_MODELS_PROGRAMS_SPLIT_LAST_PUBLIC_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_LAST_PUBLIC_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct last_public : client<Model, 1> {
  static constexpr program_info about{
      "last_public", "owner and thief race for the last item, a public one: one of them gets it", 2, reach::full};

  last_public() : client<Model, 1>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
