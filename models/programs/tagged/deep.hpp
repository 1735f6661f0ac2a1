#ifndef LICIT_MODELS_PROGRAMS_TAGGED_DEEP_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_DEEP_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct deep : client<Model, 8> {
  static constexpr program_info about{"deep", "a depth at which the tag is raised twice", 2, reach::bounded};

  deep() : client<Model, 8>({.initial_capacity = 8}) { this->push(8); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
      this->pop();
      this->pop();
      this->pop();
      this->pop();
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
