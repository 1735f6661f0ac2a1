#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LIVES_MIXED_UP_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_LIVES_MIXED_UP_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/lives.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct lives_mixed_up : lives<head_first<Model>> {
  static constexpr program_info about{
      "lives_mixed_up", "a head that was read before the tail is in another life of its segment", 2, reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
