#ifndef LICIT_MODELS_STRESS_STRUCTURES_TRACE_RING_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_TRACE_RING_HPP

#include "programs/trace_ring/mutants.hpp"
#include "programs/trace_ring/programs.hpp"
#include "machine/stress/rows/trace_ring.hpp"

namespace licit::stress {

struct trace_ring {
  static constexpr const auto& table = licit::trace_ring_orders;
  static constexpr const auto& rows = rows_of_trace_ring::all;
  using programs = models::joined_t<models::trace_ring_programs, models::trace_ring_broken_programs>;
};

}  // namespace licit::stress

#endif
