#include "programs/trace_ring/mutants.hpp"
#include "programs/trace_ring/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure trace_ring_structure() {
  return structure_of<trace_ring_orders, trace_ring_programs, trace_ring_broken_programs>(trace_ring_mutants);
}

}  // namespace licit::models
