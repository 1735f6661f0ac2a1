#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_TWO_THIEVES_HPP

#include "programs/tagged/client.hpp"
#include "programs/tagged/short_tags.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct renewal_two_thieves : client<short_tags<Model>, 6, 2, 1> {
  static constexpr program_info about{"renewal_two_thieves", "the tags are used up under two thieves", 3,
                                      reach::bounded};

  renewal_two_thieves() : client<short_tags<Model>, 6, 2, 1>({.initial_capacity = 4}) {
    this->push(3), this->pop(), this->pop(), this->push(2);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->push();
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
