#ifndef LICIT_MODELS_PROGRAMS_TAGGED_GROWTH_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_GROWTH_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct growth : client<Model, 4> {
  static constexpr program_info about{
      "growth", "two growths while a thief takes halves: no item is forgotten, no ring's fields race", 2,
      reach::bounded};

  growth() : client<Model, 4>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
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
