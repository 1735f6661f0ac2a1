#ifndef LICIT_MODELS_PROGRAMS_TAGGED_WRAP_AROUND_HALF_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_WRAP_AROUND_HALF_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct wrap_around_half : client<Model, 8> {
  static constexpr program_info about{
      "wrap_around_half", "push, pop and halves on a ring of four: slots are overwritten", 2, reach::bounded};

  wrap_around_half() : client<Model, 8>({.initial_capacity = 4, .maximum_capacity = 4}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
      this->push();
    } else {
      this->half();
      this->half();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
