#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_CROWD_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_CROWD_HPP

#include "programs/tagged/client.hpp"
#include "programs/tagged/short_tags.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct renewal_crowd : client<short_tags<Model>, 9, 1, 2> {
  static constexpr program_info about{
      "renewal_crowd", "pushes and pops with tags that are used up at every second change, and a thief of two halves",
      2, reach::bounded};

  renewal_crowd() : client<short_tags<Model>, 9, 1, 2>({.initial_capacity = 4, .maximum_capacity = 4}) {
    this->push(4);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->push();
      this->push();
      this->pop();
      this->pop();
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
