#include "structures.hpp"

#include "programs/programs.hpp"

namespace licit::models {

namespace {

template <const auto& Table, template <class> class... Programs>
audit::subject subject_of(program_list<Programs...> /*all*/) {
  return audit::subject_of<Table, Programs...>();
}

}  // namespace

std::vector<audit::subject> structures() { return {subject_of<chase_lev_orders>(deque_programs{})}; }

}  // namespace licit::models
