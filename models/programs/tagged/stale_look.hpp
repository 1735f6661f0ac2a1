#ifndef LICIT_MODELS_PROGRAMS_TAGGED_STALE_LOOK_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_STALE_LOOK_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct stale_look : client<Model, 5> {
  static constexpr program_info about{
      "stale_look", "pops, and pushes where it popped: a thief that looked before must not get what it saw", 2,
      reach::bounded};

  stale_look() : client<Model, 5>({.initial_capacity = 4}) { this->push(3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->push();
      this->push();
      this->pop();
    } else {
      this->half();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
