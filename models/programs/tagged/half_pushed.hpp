#ifndef LICIT_MODELS_PROGRAMS_TAGGED_HALF_PUSHED_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_HALF_PUSHED_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct half_pushed : client<Model, 4> {
  static constexpr program_info about{
      "half_pushed", "a claim of more items than one, of which the owner pops the others", 2, reach::bounded};

  half_pushed() : client<Model, 4>({.initial_capacity = 4}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
      this->pop();
    } else {
      this->half();
      this->pop_own();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
