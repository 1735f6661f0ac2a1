#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_READ_AGAIN_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_READ_AGAIN_HPP

#include "programs/trace_ring/client.hpp"

namespace licit::models::on_trace_ring {

template <class Model>
struct read_again : client<Model> {
  static constexpr program_info about{"read_again", "a reader sees no fewer events than it has seen before", 2,
                                      reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->record(2);
    } else {
      const std::uint64_t before = this->read();
      const std::uint64_t after = this->read();
      Model::check(after >= before || Model::stalled(1), "a later look saw fewer events");
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_trace_ring

#endif
