/// One translation unit each: they take long to compile.
#ifndef LICIT_MODELS_STRUCTURES_ALL_HPP
#define LICIT_MODELS_STRUCTURES_ALL_HPP

#include "catalogue.hpp"

namespace licit::models {

structure chase_lev_structure();
structure chase_lev_asymmetric_structure();
structure tagged_structure();
structure tagged_asymmetric_structure();
structure run_queue_structure();
structure split_structure();
structure census_structure();
structure crew_structure();
structure crew_asymmetric_structure();
structure parker_structure();
structure idle_set_structure();
structure lifo_slot_structure();
structure task_state_structure();
structure task_registry_structure();
structure trace_ring_structure();
structure inject_queue_structure();

}  // namespace licit::models

#endif
