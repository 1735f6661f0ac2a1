#include "catalogue.hpp"

#include "structures/all.hpp"

namespace licit::models {

std::span<const structure> structures() {
  static const std::vector<structure> all{
      chase_lev_structure(),             //
      chase_lev_asymmetric_structure(),  //
      tagged_structure(),                //
      tagged_asymmetric_structure(),     //
      run_queue_structure(),             //
      split_structure(),                 //
      census_structure(),                //
      crew_structure(),                  //
      crew_asymmetric_structure(),       //
      parker_structure(),                //
      idle_set_structure(),              //
      lifo_slot_structure(),             //
      task_state_structure(),            //
      task_registry_structure(),         //
      trace_ring_structure(),            //
      inject_queue_structure(),          //
  };
  return all;
}

}  // namespace licit::models
