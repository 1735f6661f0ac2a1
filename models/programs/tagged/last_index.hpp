#ifndef LICIT_MODELS_PROGRAMS_TAGGED_LAST_INDEX_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_LAST_INDEX_HPP

#include "programs/tagged/client.hpp"
#include "programs/tagged/last_indices.hpp"

namespace licit::models::on_tagged {

/// Something is thrown, which Relacy cannot have.
template <class Model>
struct last_index : client<last_indices<Model>, 2> {
  static constexpr program_info about{
      "last_index", "the indices come to their end: a push is refused, and what is there can be popped and stolen", 2,
      reach::none};

  last_index() : client<last_indices<Model>, 2>({.initial_capacity = 4}) { this->push(); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push_beyond();
      this->pop();
      this->pop();
    } else {
      this->half();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
