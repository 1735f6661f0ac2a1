#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_LAP_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_LAP_TWO_THIEVES_HPP

#include "programs/run_queue/client.hpp"
#include "programs/run_queue/late.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct lap_two_thieves : client<late<Model>, 5, 3> {
  static constexpr program_info about{
      "lap_two_thieves", "two thieves on two slots that are overwritten and overflow, past the largest index", 3,
      reach::sampled};

  lap_two_thieves() : client<late<Model>, 5, 3>(2) { this->fill(0, 1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
      this->push();
    } else {
      this->steal_half(i, 0);
      if (i == 1) this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
