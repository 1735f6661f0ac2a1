#ifndef LICIT_MODELS_PROGRAMS_TAGGED_GROWTH_HALF_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_GROWTH_HALF_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct growth_half : client<Model, 6> {
  static constexpr program_info about{"growth_half", "the victim grows while a thief reads the items of half", 2,
                                      reach::bounded};

  growth_half() : client<Model, 6>({.initial_capacity = 4}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
    } else {
      this->half();
      this->half();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
