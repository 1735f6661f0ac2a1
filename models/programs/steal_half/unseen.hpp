#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_UNSEEN_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_UNSEEN_HPP

#include "programs/steal_half/reclaim.hpp"

namespace licit::models::on_steal_half {

/// A theft that does not look at the victim between its claims.
template <class Model>
struct without_looking : Model {
  struct claims_unseen;
};

template <class Model>
struct unseen : reclaim<without_looking<Model>> {
  static constexpr program_info about{"half_unseen", "the owner pops down to what a thief is taking without looking", 2,
                                      reach::none};
};

}  // namespace licit::models::on_steal_half

#endif
