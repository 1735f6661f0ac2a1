#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_NO_FALSE_EMPTY_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_NO_FALSE_EMPTY_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

/// What parking asks of a queue: the pusher pushes and then looks whether somebody parked; who parks says so and then
/// looks whether there is anything. Between, each has a seq_cst fence.
template <class Model>
struct no_false_empty : client<Model, 4, 1> {
  static constexpr program_info about{"no_false_empty",
                                      "a push before a fence, or before the call, is seen by empty() and pop after it",
                                      2, reach::none};  // its fences are the program's own

  no_false_empty() {
    Model::name(parked_, "parked");
    this->push(0), this->push(0);
    this->pop(0), this->pop(0);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push(0);
      Model::fence(order::seq_cst);
      noticed_ = parked_.load(order::relaxed) == 1;
    } else {
      parked_.store(1, order::relaxed);
      Model::fence(order::seq_cst);
      found_ = !this->shared().empty();
      popped_ = this->pop(1) != 0;
    }
  }

  void finish() {
    if (!Model::stalled(0) && !Model::stalled(1)) {
      Model::check(noticed_ || found_, "lost: an item was pushed, and neither noticed the other");
      Model::check(noticed_ || popped_, "lost: an item was pushed, and pop did not find it");
    }
    this->settle();
  }

 private:
  typename Model::template atomic<int> parked_;
  bool noticed_ = false;  // thread 0's
  bool found_ = false;    // thread 1's
  bool popped_ = false;   // thread 1's
};

}  // namespace licit::models::on_inject_queue

#endif
