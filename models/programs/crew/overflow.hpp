#ifndef LICIT_MODELS_PROGRAMS_CREW_OVERFLOW_HPP
#define LICIT_MODELS_PROGRAMS_CREW_OVERFLOW_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// Worker 0's first task spawns more than its queue holds, while the other worker steals.
template <class Model>
struct overflow : client<Model, 2, 5> {
  static constexpr program_info about{
      "overflow", "half of a full queue goes to the inject queue while it is stolen from", 2, reach::none, true};

  overflow() { this->put(0); }

  void thread(unsigned i) {
    this->work(i, [&](int item) {
      for (int n = 0; item == 1 && n != 4; ++n) this->at(i).run_next(this->open());
    });
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_crew

#endif
