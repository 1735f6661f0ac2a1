#ifndef LICIT_MODELS_PROGRAMS_CREW_TWO_WORKERS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_TWO_WORKERS_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

template <class Model, template <class, class> class Local>
struct two_workers_with : client<Model, 2, 1, Local> {
  void thread(unsigned i) {
    if (i == 2) {
      this->inject();
    } else {
      this->work(i);
    }
  }

  void finish() { this->settle(); }
};

template <class Model>
struct two_workers : two_workers_with<Model, in_order> {
  static constexpr program_info about{"two_workers", "a foreign thread spawns one task for two workers", 3,
                                      reach::none};
};

template <class Model>
struct two_workers_youngest_first : two_workers_with<Model, youngest_first> {
  static constexpr program_info about{"two_workers_youngest_first",
                                      "a foreign thread spawns one task for two workers with LIFO queues", 3,
                                      reach::none};
};

}  // namespace licit::models::on_crew

#endif
