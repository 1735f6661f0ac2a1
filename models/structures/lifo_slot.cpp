#include "programs/lifo_slot/mutants.hpp"
#include "programs/lifo_slot/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure lifo_slot_structure() {
  return structure_of<lifo_slot_orders, lifo_slot_programs, lifo_slot_broken_programs>(lifo_slot_mutants);
}

}  // namespace licit::models
