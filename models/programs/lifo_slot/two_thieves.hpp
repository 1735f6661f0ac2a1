#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_TWO_THIEVES_HPP

#include "programs/lifo_slot/client.hpp"

namespace licit::models::on_lifo_slot {

template <class Model>
struct two_thieves : client<Model, 2> {
  static constexpr program_info about{"two_thieves", "two thieves and the owner, who displaces and takes", 3,
                                      reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->put();
      this->put();
      this->take();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(3); }
};

}  // namespace licit::models::on_lifo_slot

#endif
