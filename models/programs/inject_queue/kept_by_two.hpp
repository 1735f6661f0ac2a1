#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_KEPT_BY_TWO_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_KEPT_BY_TWO_HPP

#include "programs/inject_queue/linked_client.hpp"

namespace licit::models::on_inject_queue {

/// Something is thrown, which Relacy cannot have.
template <class Model>
struct kept_by_two : linked_client<Model, 1> {
  static constexpr program_info about{"kept_by_two", "two takers of what was pushed for certain: what one puts back", 2,
                                      reach::none};

  kept_by_two() { this->push_certain(0), this->push_certain(1), this->push_certain(2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->template pop<1>();
      this->push_certain(3);
    } else {
      this->template pop<2>();
    }
  }

  void finish() { this->settle(4); }
};

}  // namespace licit::models::on_inject_queue

#endif
