#include "structures.hpp"

#include "programs/chase_lev/programs.hpp"

namespace licit::models {

namespace {

template <const auto& Table, template <class> class... Programs>
audit::subject subject_of(program_list<Programs...> /*all*/) {
  return audit::subject_of<Table, Programs...>();
}

}  // namespace

std::vector<audit::subject> structures() { return {subject_of<chase_lev_orders>(chase_lev_programs{})}; }

}  // namespace licit::models
