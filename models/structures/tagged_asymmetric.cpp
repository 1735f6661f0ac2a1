#include "programs/tagged/asymmetric.hpp"
#include "programs/tagged/mutants.hpp"
#include "structures/all.hpp"
#include "structures/make.hpp"

namespace licit::models {

structure tagged_asymmetric_structure() {
  return structure_of<tagged_asymmetric_orders, tagged_asymmetric_programs, tagged_asymmetric_broken_programs, false>(
      tagged_asymmetric_mutants, on_tagged::not_in_relacy);
}

}  // namespace licit::models
