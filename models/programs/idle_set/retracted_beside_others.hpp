#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_BESIDE_OTHERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_BESIDE_OTHERS_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

/// The claim may take either worker, and the one that retracts may take the other's unit.
template <class Model>
struct retracted_beside_others : client<Model, 2> {
  static constexpr program_info about{"retracted_beside_others",
                                      "a worker takes itself out while a claim takes it, or the other", 2, reach::full};

  retracted_beside_others() {
    this->park(0);
    this->park(1);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->retract(0);
    } else {
      this->claim(1);
      this->claim_any(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
