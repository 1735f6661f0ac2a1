#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_PARKED_AGAIN_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_PARKED_AGAIN_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct parked_again : client<Model, 2> {
  static constexpr program_info about{"parked_again", "a worker that was claimed parks again while others claim", 2,
                                      reach::bounded};

  parked_again() { this->park(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0);
      if (!this->is_parked(0)) this->park(0, true);
    } else {
      this->claim(1);
      this->claim(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
