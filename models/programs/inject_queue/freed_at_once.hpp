#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FREED_AT_ONCE_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_FREED_AT_ONCE_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/pushers_and_taker.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct freed_at_once : pushers_and_taker<faulty<Model, fault::freed_at_once>> {
  static constexpr program_info about{"freed_at_once", "a segment is freed while a late ticket is out", 2, reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
