#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_RETURNED_WORD_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_RETURNED_WORD_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_returned_word : half_client<Model, 9, 1> {
  static constexpr program_info about{"half_returned_word", "a slow raid, and other items published where those were",
                                      2, reach::bounded};

  half_returned_word() : half_client<Model, 9, 1>({.initial_capacity = 8}) { this->offer(3); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
      this->pop();
      this->steal();  // asks
      this->push();
      this->push();
    } else {
      this->raid();
      this->unload();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
