#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_OF_TWO_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_OF_TWO_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct retracted_of_two : client<Model, 2> {
  static constexpr program_info about{"retracted_of_two", "a worker takes itself out while others park and claim", 3,
                                      reach::bounded};

  void thread(unsigned i) {
    if (i != 2) {
      this->park(i);
      if (i == 1) this->retract(1);
    } else {
      this->claim_any(2);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
