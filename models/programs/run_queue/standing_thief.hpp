/// What a thief that stands still leaves to the others, in either family.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_STANDING_THIEF_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_STANDING_THIEF_HPP

#include "programs/run_queue/claim_then_copy.hpp"
#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

/// Thread 1 takes half of a full queue of four, and is stopped at some step (`options::stalled`). Then, on the main
/// thread, another thief takes what it can get, and the owner pushes as long as there is room.
template <class Model, template <class, class> class Queue>
struct standing_thief : client<Model, 8, 3, Queue> {
  static constexpr unsigned threads = 3;

  struct found {
    std::size_t there = 0;   ///< items that are in the queue, by its size
    std::size_t stolen = 0;  ///< of them, those that the other thief got
    std::size_t pushed = 0;  ///< by the owner, until there was no room
    friend bool operator==(const found&, const found&) = default;
  };
  static inline found last{};  ///< of the last execution

  standing_thief() : client<Model, 8, 3, Queue>(4) { this->fill(0, 4); }

  void thread(unsigned i) {
    if (i == 1) this->steal_half(1, 0);
  }

  void finish() {
    last = {.there = this->left(0)};
    while (this->steal_half(2, 0, 1) == outcome::taken) ++last.stolen;
    while (last.pushed != 4 && this->at(0).try_push(this->items().open())) ++last.pushed;
  }
};

template <class Model>
using beside_a_guess = standing_thief<Model, run_queue>;
template <class Model>
using beside_a_claim = standing_thief<Model, claim_then_copy>;

}  // namespace licit::models::on_run_queue

#endif
