#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TICKET_UNCOUNTED_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_TICKET_UNCOUNTED_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/pushers_and_taker.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct ticket_uncounted : pushers_and_taker<faulty<Model, fault::ticket_uncounted>> {
  static constexpr program_info about{"ticket_uncounted", "a pusher reads a segment that it has no ticket of", 2,
                                      reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
