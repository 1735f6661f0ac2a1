#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_ONE_PASS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_ONE_PASS_HPP

#include "programs/idle_set/client.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

/// A claimer that would have to look twice for the bit violates an invariant.
template <class Model>
struct looking_once : wide<Model> {
  static constexpr bool clears_in_one_pass = true;
};

template <class Model>
struct one_pass : client<looking_once<Model>, 2> {
  static constexpr program_info about{"one_pass", "who takes a unit of the count sees the bit that it stands for", 2,
                                      reach::full};

  /// Once before, so that Relacy has an older value to show.
  one_pass() {
    this->park(1);
    this->claim(1);
    this->end_search(1);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->park(1);
    } else {
      this->claim(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
