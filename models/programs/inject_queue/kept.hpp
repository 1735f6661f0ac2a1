#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_KEPT_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_KEPT_HPP

#include "programs/inject_queue/linked_client.hpp"

namespace licit::models::on_inject_queue {

/// Something is thrown, which Relacy cannot have.
template <class Model>
struct kept : linked_client<Model, 1> {
  static constexpr program_info about{"kept", "what is pushed for certain, without memory, is not lost", 2,
                                      reach::none};

  kept() { this->push_certain(0); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push_certain(1);
      this->push_certain(2);
    } else {
      this->template pop<1>();
      this->template pop<1>();
    }
  }

  void finish() { this->settle(3); }
};

}  // namespace licit::models::on_inject_queue

#endif
