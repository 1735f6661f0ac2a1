#ifndef LICIT_MODELS_PROGRAMS_TAGGED_LAST_ITEM_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_LAST_ITEM_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct last_item : client<Model, 1> {
  static constexpr program_info about{"last_item", "owner and thief race for the last item: one of them gets it", 2,
                                      reach::full};

  last_item() : client<Model, 1>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
