#ifndef LICIT_MODELS_PROGRAMS_SPLIT_TOP_WRAPS_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_TOP_WRAPS_HPP

#include "programs/split/client.hpp"
#include "programs/split/narrow.hpp"

namespace licit::models::on_split {

template <class Model>
struct top_wraps : client<late<Model>, 5> {
  static constexpr program_info about{"top_wraps", "top goes through its last value to zero while a thief steals twice",
                                      2, reach::bounded};

  top_wraps() : client<late<Model>, 5>({.initial_capacity = 4}) { this->offer(2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->push();
      this->pop();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
