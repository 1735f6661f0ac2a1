/// Every client program of the census.
#ifndef LICIT_MODELS_PROGRAMS_CENSUS_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_PROGRAMS_HPP

#include "programs/census/all_closed.hpp"
#include "programs/census/child.hpp"
#include "programs/census/late.hpp"
#include "programs/census/one_task.hpp"
#include "programs/list.hpp"

namespace licit::models {

using census_programs = program_list<on_census::one_task, on_census::child, on_census::late, on_census::all_closed>;

}  // namespace licit::models

#endif
