#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_NUMBER_UNDERFLOWS_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_NUMBER_UNDERFLOWS_HPP

#include "programs/run_queue/client.hpp"
#include "programs/run_queue/narrow.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct number_underflows : client<unsigned_differences<Model>, 2> {
  static constexpr program_info about{"number_underflows",
                                      "unsigned differences: a head newer than the tail gives items that are not there",
                                      2, reach::full};

  number_underflows() : client<unsigned_differences<Model>, 2>(4) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->steal_half(1, 0);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_run_queue

#endif
