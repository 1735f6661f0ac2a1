#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_DESTRUCTION_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_DESTRUCTION_HPP

#include "programs/steal_half/client.hpp"

namespace licit::models::on_steal_half {

template <class Model>
struct destruction : client<Model, 4> {
  static constexpr program_info about{"half_destruction",
                                      "items left in both, rings retired: all memory comes back when the deques go", 2,
                                      reach::bounded};

  destruction() : client<Model, 4>({.initial_capacity = 1}, {.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->push();
      this->push();
    } else {
      this->half(i);
      this->half(i);
    }
  }

  void finish() {
    Model::check(this->left(0) + this->left(1) <= static_cast<std::size_t>(this->pushed()),
                 "more items left than were pushed");
  }
};

}  // namespace licit::models::on_steal_half

#endif
