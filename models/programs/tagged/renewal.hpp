#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_HPP

#include "programs/tagged/client.hpp"
#include "programs/tagged/short_tags.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct renewal : client<short_tags<Model>, 8, 1, 2> {
  static constexpr program_info about{
      "renewal", "the tags are used up: the owner renews, and moves two items, under a thief", 2, reach::bounded};

  renewal() : client<short_tags<Model>, 8, 1, 2>({.initial_capacity = 8}) {
    this->push(3), this->pop(), this->pop(), this->push(4), this->pop();
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
      this->pop();
    } else {
      this->half();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
