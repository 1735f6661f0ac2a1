#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_OVERWRITE_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_OVERWRITE_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct overwrite : client<Model, 4, 2> {
  static constexpr program_info about{
      "overwrite", "two slots: the owner overwrites one only after the thief has read it", 2, reach::full};

  overwrite() : client<Model, 4, 2>(2) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->try_push();
      this->try_push();
      this->try_push();
    } else {
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
