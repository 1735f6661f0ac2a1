#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_COMES_ROUND_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_COMES_ROUND_HPP

#include "programs/trace_ring/client.hpp"

namespace licit::models::on_trace_ring {

template <class Model>
struct comes_round : client<Model> {
  static constexpr program_info about{"comes_round", "no event is torn whose slot is used again beside the reader", 2,
                                      reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->record(4);
    } else {
      this->read();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_trace_ring

#endif
