#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_UNROOMED_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_UNROOMED_HPP

#include "programs/steal_half/no_room.hpp"

namespace licit::models::on_steal_half {

/// A theft that claims before it has room.
template <class Model>
struct without_room : Model {
  struct claims_without_room;
};

template <class Model>
struct unroomed : no_room<without_room<Model>> {
  static constexpr program_info about{
      "half_unroomed", "the thief's deque is full and may not grow, which it finds out too late", 2, reach::none};
};

}  // namespace licit::models::on_steal_half

#endif
