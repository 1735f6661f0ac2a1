#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_NEVER_EMPTY_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_NEVER_EMPTY_HPP

#include "programs/lifo_slot/client.hpp"

namespace licit::models::on_lifo_slot {

template <class Model>
struct never_empty : client<Model, 2> {
  static constexpr program_info about{"never_empty", "a slot that is never empty is not found empty", 2, reach::full};

  never_empty() { this->put(); }

  void thread(unsigned i) {
    if (i == 0) {
      this->put();
    } else {
      Model::check(this->steal() || Model::leaves_out("steal"), "a slot with an item was found empty");
    }
  }

  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_lifo_slot

#endif
