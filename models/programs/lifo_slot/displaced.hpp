#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_DISPLACED_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_DISPLACED_HPP

#include "programs/lifo_slot/client.hpp"

namespace licit::models::on_lifo_slot {

template <class Model>
struct displaced : client<Model, 2> {
  static constexpr program_info about{"displaced", "a put displaces an item that a thief wants", 2, reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->put();
      this->put();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_lifo_slot

#endif
