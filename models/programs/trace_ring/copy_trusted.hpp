#ifndef LICIT_MODELS_PROGRAMS_TRACE_RING_COPY_TRUSTED_HPP
#define LICIT_MODELS_PROGRAMS_TRACE_RING_COPY_TRUSTED_HPP

#include "programs/trace_ring/comes_round.hpp"

namespace licit::models::on_trace_ring {

/// A model whose readers do not look again.
template <class Model>
struct trusting : Model {
  static constexpr bool trusts_what_it_copied = true;
};

template <class Model>
struct copy_trusted : comes_round<trusting<Model>> {
  static constexpr program_info about{
      "copy_trusted", "a reader that does not look whether the slots have been used again has torn events", 2,
      reach::full};
};

}  // namespace licit::models::on_trace_ring

#endif
