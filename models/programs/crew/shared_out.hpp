#ifndef LICIT_MODELS_PROGRAMS_CREW_SHARED_OUT_HPP
#define LICIT_MODELS_PROGRAMS_CREW_SHARED_OUT_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// Worker 0's first task spawns two: one displaces the other, which has to queue, and is announced.
template <class Model, template <class, class> class Local>
struct shared_out_with : client<Model, 2, 3, Local> {
  shared_out_with() { this->put(0); }

  void thread(unsigned i) {
    this->work(i, [&](int item) {
      if (item != 1) return;
      this->at(i).run_next(this->open());
      this->at(i).run_next(this->open());
    });
  }

  void finish() { this->settle(); }
};

template <class Model>
struct shared_out : shared_out_with<Model, in_order> {
  static constexpr program_info about{"shared_out", "a task spawns two, and another worker helps, asleep or not", 2,
                                      reach::none, true};
};

template <class Model>
struct shared_out_youngest_first : shared_out_with<Model, youngest_first> {
  static constexpr program_info about{"shared_out_youngest_first",
                                      "a task spawns two, and another worker helps, asleep or not; LIFO queues", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_crew

#endif
