#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PUSHERS_AT_THE_END_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_PUSHERS_AT_THE_END_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct pushers_at_the_end : client<Model, 2, 1> {
  static constexpr program_info about{
      "pushers_at_the_end", "two pushers meet at a segment's end: one of them makes the next", 2, reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->push(i);
      this->push(i);
    } else {
      this->push(i);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_inject_queue

#endif
