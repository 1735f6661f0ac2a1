#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_RECYCLED_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_RECYCLED_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

/// The main thread has used two segments up: one of them is the spare one.
template <class Model>
struct recycled : client<Model, 5, 1> {
  static constexpr program_info about{"recycled", "a segment comes back while a taker may still look at its last life",
                                      2, reach::bounded};

  recycled() {
    this->push(0), this->push(0);
    this->pop(0), this->pop(0);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(0);
      this->pop(0);
      this->push(0);
    } else {
      this->pop(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
