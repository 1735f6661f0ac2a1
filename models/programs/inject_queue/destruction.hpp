#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_DESTRUCTION_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_DESTRUCTION_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct destruction : client<Model, 3, 1> {
  static constexpr program_info about{"destruction", "items left in more than one segment: all memory comes back", 2,
                                      reach::bounded};

  destruction() { this->push(0); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(i);
      this->push(i);
    } else {
      this->pop(i);
    }
  }

  void finish() { Model::check(this->shared().size() <= 3, "more items left than were pushed"); }
};

}  // namespace licit::models::on_inject_queue

#endif
