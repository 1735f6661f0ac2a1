#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLOSED_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLOSED_HPP

#include "programs/inject_queue/client.hpp"

namespace licit::models::on_inject_queue {

/// What a shutdown does: who closes, and then takes what there is, leaves nothing of those who found it open.
template <class Model>
struct closed : client<Model, 2, 1> {
  static constexpr program_info about{"closed", "what is pushed before the queue is seen closed is there to be taken",
                                      2, reach::none};  // its fences are the program's own

  void thread(unsigned i) {
    if (i == 0) {
      const bool late = this->shared().closed();
      const bool in = this->push(0);
      Model::check(!late || !in, "an item came in after the queue was closed");
      Model::fence(order::seq_cst);
      sees_to_it_itself_ = this->shared().closed();
    } else {
      Model::check(this->shared().close(), "a queue that was closed by somebody else");
      Model::fence(order::seq_cst);
      while (this->pop(1) != 0) {
      }
      Model::check(this->shared().closed(), "a queue that was closed is open");
    }
  }

  void finish() {
    if (!Model::stalled(0) && !Model::stalled(1)) {
      Model::check(sees_to_it_itself_ || this->shared().empty(),
                   "lost: neither the pusher nor who closed sees the item");
    }
  }

 private:
  bool sees_to_it_itself_ = false;  // thread 0's
};

}  // namespace licit::models::on_inject_queue

#endif
