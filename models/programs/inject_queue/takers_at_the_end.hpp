#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TAKERS_AT_THE_END_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TAKERS_AT_THE_END_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct takers_at_the_end : client<Model, 2, 1> {
  static constexpr program_info about{"takers_at_the_end", "two takers meet at a segment's end: one of them moves on",
                                      2, reach::bounded};

  takers_at_the_end() { this->push(0), this->push(0); }

  void thread(unsigned i) {
    this->pop(i);
    if (i == 0) this->pop(i);
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
