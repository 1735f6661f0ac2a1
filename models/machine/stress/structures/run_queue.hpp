#ifndef LICIT_MODELS_STRESS_STRUCTURES_RUN_QUEUE_HPP
#define LICIT_MODELS_STRESS_STRUCTURES_RUN_QUEUE_HPP

#include "programs/run_queue/mutants.hpp"
#include "programs/run_queue/programs.hpp"
#include "machine/stress/rows/run_queue.hpp"

namespace licit::stress {

struct run_queue {
  static constexpr const auto& table = licit::run_queue_orders;
  static constexpr const auto& rows = rows_of_run_queue::all;
  using programs = models::joined_t<models::run_queue_programs, models::run_queue_broken_programs>;
};

}  // namespace licit::stress

#endif
