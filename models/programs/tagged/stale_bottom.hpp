#ifndef LICIT_MODELS_PROGRAMS_TAGGED_STALE_BOTTOM_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_STALE_BOTTOM_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct stale_bottom : client<Model, 5, 2> {
  static constexpr program_info about{"stale_bottom", "two thieves: one reads a new top and an old bottom", 3,
                                      reach::bounded};

  stale_bottom() : client<Model, 5, 2>({.initial_capacity = 8}) { this->push(5); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
    } else if (i == 1) {
      this->steal();
    } else {
      this->half(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
