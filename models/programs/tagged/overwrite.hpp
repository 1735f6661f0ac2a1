#ifndef LICIT_MODELS_PROGRAMS_TAGGED_OVERWRITE_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_OVERWRITE_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct overwrite : client<Model, 2> {
  static constexpr program_info about{"overwrite", "one slot: the owner overwrites it only after the thief has read it",
                                      2, reach::full};

  overwrite() : client<Model, 2>({.initial_capacity = 1, .maximum_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
