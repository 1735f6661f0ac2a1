/// Every client program of the idle set. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_PROGRAMS_HPP

#include "programs/idle_set/claimed_awake.hpp"
#include "programs/idle_set/found_by_one.hpp"
#include "programs/idle_set/half_search.hpp"
#include "programs/idle_set/handed_on.hpp"
#include "programs/idle_set/last_searcher.hpp"
#include "programs/idle_set/one_of_two.hpp"
#include "programs/idle_set/one_pass.hpp"
#include "programs/idle_set/parked_again.hpp"
#include "programs/idle_set/published.hpp"
#include "programs/idle_set/retracted.hpp"
#include "programs/idle_set/retracted_beside_others.hpp"
#include "programs/idle_set/retracted_of_two.hpp"
#include "programs/idle_set/three_workers.hpp"
#include "programs/idle_set/two_claimers.hpp"
#include "programs/idle_set/wide_claimed_awake.hpp"
#include "programs/idle_set/wide_found_by_one.hpp"
#include "programs/idle_set/wide_last_searcher.hpp"
#include "programs/idle_set/wide_one_of_two.hpp"
#include "programs/idle_set/wide_parked_again.hpp"
#include "programs/idle_set/wide_published.hpp"
#include "programs/idle_set/wide_retracted.hpp"
#include "programs/idle_set/wide_retracted_beside_others.hpp"
#include "programs/idle_set/wide_retracted_of_two.hpp"
#include "programs/idle_set/wide_three_workers.hpp"
#include "programs/idle_set/wide_two_claimers.hpp"
#include "programs/list.hpp"

namespace licit::models {

/// Of the set alone: nobody sleeps.
using idle_set_alone =
    program_list<on_idle_set::claimed_awake, on_idle_set::wide_claimed_awake, on_idle_set::one_pass,
                 on_idle_set::two_claimers, on_idle_set::wide_two_claimers, on_idle_set::one_of_two,
                 on_idle_set::wide_one_of_two, on_idle_set::retracted, on_idle_set::wide_retracted,
                 on_idle_set::retracted_beside_others, on_idle_set::wide_retracted_beside_others,
                 on_idle_set::retracted_of_two, on_idle_set::wide_retracted_of_two, on_idle_set::parked_again,
                 on_idle_set::wide_parked_again, on_idle_set::half_search, on_idle_set::handed_on,
                 on_idle_set::handed_on_parking, on_idle_set::last_searcher, on_idle_set::wide_last_searcher,
                 on_idle_set::three_workers, on_idle_set::wide_three_workers>;

/// With a parker, and the fences of who publishes and who parks.
using idle_set_with_parker =
    program_list<on_idle_set::published, on_idle_set::wide_published, on_idle_set::published_asymmetric,
                 on_idle_set::published_unadmitted, on_idle_set::found_by_one, on_idle_set::wide_found_by_one>;

using idle_set_programs = joined_t<idle_set_alone, idle_set_with_parker>;

}  // namespace licit::models

#endif
