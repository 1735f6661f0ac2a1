#include "programs/split/mutants.hpp"
#include "programs/split/programs.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure split_structure() { return structure_of<split_orders, split_programs, split_broken_programs>(split_mutants); }

}  // namespace licit::models
