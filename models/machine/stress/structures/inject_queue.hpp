#ifndef LICIT_MODELS_STRESS_STRUCTURES_INJECT_QUEUE_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_INJECT_QUEUE_HPP

#include "programs/inject_queue/mutants.hpp"
#include "programs/inject_queue/programs.hpp"
#include "machine/stress/rows/inject_queue.hpp"

namespace licit::stress {

struct inject_queue {
  static constexpr const auto& table = licit::inject_queue_orders;
  static constexpr const auto& rows = rows_of_inject_queue::all;
  using programs = models::joined_t<models::inject_queue_programs, models::inject_queue_broken_programs>;
};

}  // namespace licit::stress

#endif
