#ifndef LICIT_MODELS_PROGRAMS_TAGGED_TWO_HALVES_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_TWO_HALVES_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct two_halves : client<Model, 4, 2> {
  static constexpr program_info about{"two_halves", "two thieves that take halves, and an owner that pops", 3,
                                      reach::bounded};

  two_halves() : client<Model, 4, 2>({.initial_capacity = 4}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else if (i == 1) {
      this->half();
    } else {
      this->half(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
