#ifndef LICIT_MODELS_PROGRAMS_SPLIT_DESTRUCTION_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_DESTRUCTION_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct destruction : client<Model, 4> {
  static constexpr program_info about{
      "destruction", "items left, rings retired: all memory comes back when the deque goes", 2, reach::bounded};

  destruction() : client<Model, 4>({.initial_capacity = 1}) { this->ask(); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
    } else {
      this->steal();
    }
  }

  void finish() {
    Model::check(this->left() <= static_cast<std::size_t>(this->pushed()), "more items left than were pushed");
  }
};

}  // namespace licit::models::on_split

#endif
