#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_FIRST_EVENT_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_FIRST_EVENT_HPP

#include "programs/trace_ring/client.hpp"

namespace licit::models::on_trace_ring {

template <class Model>
struct first_event : client<Model> {
  static constexpr program_info about{"first_event", "the first event is there whole or not at all", 2, reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->record(1);
    } else {
      this->read();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_trace_ring

#endif
