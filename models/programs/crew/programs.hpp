/// Every client program of the crew.
#ifndef LICIT_MODELS_PROGRAMS_CREW_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_PROGRAMS_HPP

#include <licit/deque/asymmetric.hpp>

#include "programs/chase_lev/asymmetric.hpp"
#include "programs/crew/batch.hpp"
#include "programs/crew/blocking.hpp"
#include "programs/crew/overflow.hpp"
#include "programs/crew/shared_out.hpp"
#include "programs/crew/side_by_side.hpp"
#include "programs/crew/stopped.hpp"
#include "programs/crew/two_tasks.hpp"
#include "programs/crew/two_workers.hpp"
#include "programs/crew/yielded.hpp"
#include "programs/list.hpp"

namespace licit::models {

using crew_programs =
    program_list<on_crew::two_tasks, on_crew::stopped, on_crew::one_for_two_asleep, on_crew::woken_in_vain,
                 on_crew::blocking, on_crew::blocking_youngest_first, on_crew::batch, on_crew::yielded,
                 on_crew::yielded_youngest_first, on_crew::side_by_side>;

/// Of some hundred thousand executions each, and more: for the nightly tests.
using crew_long_programs =
    program_list<on_crew::two_tasks_whole, on_crew::woken_in_vain_whole, on_crew::two_asleep, on_crew::shared_out,
                 on_crew::shared_out_youngest_first, on_crew::side_by_side_youngest_first, on_crew::two_workers>;

/// Too many to exhaust: for samples.
using crew_sampled_programs = program_list<on_crew::overflow>;

using crew_asymmetric_programs =
    adapted_list<asymmetric_policy, program_list<on_crew::two_tasks, on_crew::stopped, on_crew::one_for_two_asleep,
                                                 on_crew::woken_in_vain, on_crew::batch>>::type;

}  // namespace licit::models

#endif
