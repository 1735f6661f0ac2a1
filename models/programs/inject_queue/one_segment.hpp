#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_ONE_SEGMENT_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_ONE_SEGMENT_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct one_segment : client<Model, 2, 3> {
  static constexpr program_info about{"one_segment", "a pusher and a taker meet at the cells of a segment", 2,
                                      reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->push(i);
      this->push(i);
    } else {
      this->pop(i);
      this->pop(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
