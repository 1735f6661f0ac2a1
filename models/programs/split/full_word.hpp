#ifndef LICIT_MODELS_PROGRAMS_SPLIT_FULL_WORD_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_FULL_WORD_HPP

#include "programs/split/client.hpp"
#include "programs/split/narrow.hpp"

namespace licit::models::on_split {

template <class Model>
struct full_word : client<one_public<Model>, 4> {
  static constexpr program_info about{
      "full_word", "the word has room for one public item: a request stands while there is one", 2, reach::bounded};

  full_word() : client<one_public<Model>, 4>({.initial_capacity = 4}) { this->ask(); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
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
