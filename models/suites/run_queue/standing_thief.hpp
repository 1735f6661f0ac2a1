/// What a thief that stops in the middle of a theft leaves to the others, in either family of run queues.
#ifndef LICIT_SUITES_RUN_QUEUE_STANDING_THIEF_HPP
#define LICIT_SUITES_RUN_QUEUE_STANDING_THIEF_HPP

#include <cstddef>

#include "suites/run_queue.hpp"
#include "suites/run_queue/claim_then_copy.hpp"

namespace licit::suites {

/// A client that looks, after its threads have ended, what can be done with queue 0 of four slots: another thief takes
/// what it can get one by one, then the owner pushes while there is room.
template <class Model, template <class, class> class Queue>
class observed_client : public queue_client<Model, Queue> {
 public:
  using queue_client<Model, Queue>::queue_client;

  struct found {
    std::size_t there = 0;   ///< items in the queue, by its size
    std::size_t stolen = 0;  ///< those of them that the other thief got
    std::size_t pushed = 0;  ///< by the owner, until there was no room
    friend bool operator==(const found&, const found&) = default;
  };
  static inline found last{};  ///< of the last execution

  void settle() {
    last = {.there = this->at(0).size()};
    while (this->half(2, 0, 1)) ++last.stolen;
    while (last.pushed != 4 && this->at(0).try_push(0)) ++last.pushed;
  }
};

template <class Model>
using observed_guess = observed_client<Model, run_queue>;
template <class Model>
using observed_claim = observed_client<Model, claim_then_copy>;
template <class Model>
using claim_then_copy_client = queue_client<Model, claim_then_copy>;

/// The thief that is stopped (`options::stalled`) takes half of a full queue.
inline constexpr client_line standing_thief{"standing_thief", "capacity=4 fill(0,4): | half |",
                                            "what a thief that stops in the middle of a theft leaves to the others"};

/// Not only beside a thief that is stopped: the owner's push of one item is refused while there is room by the size.
inline constexpr client_line refill_line{"refill", "capacity=4 fill(0,4): try | half",
                                         "the owner pushes where the size says that there is room"};

/// The client of the other family's traps, right without them.
inline constexpr client_line claimed_line{"claimed", "capacity=4 fill(0,4): pop offer pop | half pop",
                                          "the owner pops and pushes beside a theft"};

/// A thief's slots count as free as soon as they are claimed.
template <class Model>
using room_from_real_client = claim_then_copy_client<with_rules<Model, claim_then_copy_rules{.copies_occupy = false}>>;
/// The theft ends with the `real` that it began with.
template <class Model>
using finishing_blindly_client = claim_then_copy_client<with_rules<Model, claim_then_copy_rules{.reads_again = false}>>;

}  // namespace licit::suites

#endif
