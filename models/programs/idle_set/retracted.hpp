#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_RETRACTED_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct retracted : client<Model, 1> {
  static constexpr program_info about{"retracted", "a worker takes itself out while another claims it", 2, reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0);
      this->retract(0);
    } else {
      this->claim(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
