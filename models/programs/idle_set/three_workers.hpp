#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_THREE_WORKERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_THREE_WORKERS_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct three_workers : client<Model, 3> {
  static constexpr program_info about{
      "three_workers", "three workers: one parks as a searcher, one claims, one parks and begins to search again", 3,
      reach::bounded};

  three_workers() {
    this->begin_search(0);
    this->park(2);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0, true);
    } else if (i == 1) {
      this->park(1);
      if (this->retract(1)) this->end_search(1);
    } else {
      this->claim(2);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_idle_set

#endif
