#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_MOST_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_MOST_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct most : client<Model, 4, 2> {
  static constexpr program_info about{"most", "a thief asks for one, then for none, which is one", 2, reach::full};

  most() : client<Model, 4, 2>(4) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      this->steal_half(1, 0, 1);
      this->steal_half(1, 0, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
