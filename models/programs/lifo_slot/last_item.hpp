#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_LAST_ITEM_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_LAST_ITEM_HPP

#include "programs/lifo_slot/client.hpp"

namespace licit::models::on_lifo_slot {

template <class Model>
struct last_item : client<Model, 1> {
  static constexpr program_info about{"last_item", "owner and thief both want the only item", 2, reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->put();
      this->take();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_lifo_slot

#endif
