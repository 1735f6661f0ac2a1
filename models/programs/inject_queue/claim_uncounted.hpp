#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLAIM_UNCOUNTED_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLAIM_UNCOUNTED_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/takers_at_the_end.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct claim_uncounted : takers_at_the_end<faulty<Model, fault::claim_uncounted>> {
  static constexpr program_info about{"claim_uncounted", "a taker reads a segment that it has no claim of", 2,
                                      reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
