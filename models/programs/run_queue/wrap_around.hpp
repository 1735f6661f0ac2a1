#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_WRAP_AROUND_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_WRAP_AROUND_HPP

#include "programs/run_queue/client.hpp"
#include "programs/run_queue/late.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct wrap_around : client<late<Model>, 7, 2> {
  static constexpr program_info about{"wrap_around", "slots are overwritten, and the indices pass their largest value",
                                      2, reach::bounded};

  wrap_around() : client<late<Model>, 7, 2>(2) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
      this->pop();
      this->push();
      this->push();
      this->pop();
    } else {
      this->steal(1, 0);
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
