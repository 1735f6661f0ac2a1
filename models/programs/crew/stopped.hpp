#ifndef LICIT_MODELS_PROGRAMS_CREW_STOPPED_HPP
#define LICIT_MODELS_PROGRAMS_CREW_STOPPED_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

template <class Model>
struct stopped : client<Model, 2, 1> {
  static constexpr program_info about{"stopped", "workers that sleep, or are about to, are stopped", 3, reach::none,
                                      true};

  void thread(unsigned i) {
    if (i == 2) {
      this->all().stop();
    } else {
      this->work(i);
    }
  }

  void finish() {}
};

}  // namespace licit::models::on_crew

#endif
