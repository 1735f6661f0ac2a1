#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_TWO_READERS_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_TWO_READERS_HPP

#include "programs/trace_ring/client.hpp"

namespace licit::models::on_trace_ring {

template <class Model>
struct two_readers : client<Model> {
  static constexpr program_info about{"two_readers", "readers do not meet each other", 3, reach::sampled};

  void thread(unsigned i) {
    if (i == 0) {
      this->record(2);
    } else {
      this->read();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_trace_ring

#endif
