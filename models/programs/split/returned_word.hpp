#ifndef LICIT_MODELS_PROGRAMS_SPLIT_RETURNED_WORD_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_RETURNED_WORD_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct returned_word : client<Model, 2> {
  static constexpr program_info about{
      "returned_word",
      "an item is taken back and another published in its place: a slow thief must not get either by it", 2,
      reach::bounded};

  returned_word() : client<Model, 2>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->steal();  // asks
      this->push();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
