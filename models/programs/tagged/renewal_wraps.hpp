#ifndef LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_WRAPS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_RENEWAL_WRAPS_HPP

#include "programs/tagged/client.hpp"
#include "programs/tagged/short_tags.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct renewal_wraps : client<short_tags<Model>, 9, 1, 2> {
  static constexpr program_info about{
      "renewal_wraps", "a renewal in a full ring of four, whose slots thieves have just left", 2, reach::bounded};

  renewal_wraps() : client<short_tags<Model>, 9, 1, 2>({.initial_capacity = 4, .maximum_capacity = 4}) {
    this->push(4), this->pop(), this->pop(), this->pop(), this->push(2);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
      this->pop();
      this->pop();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
