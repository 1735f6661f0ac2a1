/// Every client program of a task's state. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/task_state/awaits.hpp"
#include "programs/task_state/awaits_and_is_stopped.hpp"
#include "programs/task_state/blocks.hpp"
#include "programs/task_state/blocks_for.hpp"
#include "programs/task_state/blocks_while_woken.hpp"
#include "programs/task_state/bounds.hpp"
#include "programs/task_state/cancel_against_complete.hpp"
#include "programs/task_state/cancel_against_wake.hpp"
#include "programs/task_state/cancel_while_running.hpp"
#include "programs/task_state/exception_unobserved.hpp"
#include "programs/task_state/joiner.hpp"
#include "programs/task_state/joiner_dropped.hpp"
#include "programs/task_state/joiner_replaced.hpp"
#include "programs/task_state/last_reference.hpp"
#include "programs/task_state/moves_on.hpp"
#include "programs/task_state/reference_passed_on.hpp"
#include "programs/task_state/rests.hpp"
#include "programs/task_state/two_wakers.hpp"
#include "programs/task_state/wake_after_complete.hpp"
#include "programs/task_state/wake_while_running.hpp"
#include "programs/task_state/yields.hpp"
#include "programs/task_state/yields_against_cancel.hpp"

namespace licit::models {

/// Those in which nobody waits: whoever stops, the others go on.
using task_state_free_programs =
    program_list<on_task_state::wake_while_running, on_task_state::two_wakers, on_task_state::moves_on,
                 on_task_state::wake_after_complete, on_task_state::cancel_against_complete,
                 on_task_state::cancel_against_wake, on_task_state::cancel_while_running, on_task_state::joiner,
                 on_task_state::joiner_replaced, on_task_state::joiner_dropped, on_task_state::last_reference,
                 on_task_state::reference_passed_on, on_task_state::exception_unobserved,
                 on_task_state::yields_against_cancel, on_task_state::awaits, on_task_state::bounds>;
/// So it is in these, but they have too many executions to stop every thread at every step.
using task_state_large_programs = program_list<on_task_state::awaits_and_is_stopped>;
/// Those in which a thread waits for another.
using task_state_waiting_programs =
    program_list<on_task_state::yields, on_task_state::blocks, on_task_state::blocks_while_woken,
                 on_task_state::blocks_for, on_task_state::rests>;

using task_state_programs =
    joined_t<joined_t<task_state_free_programs, task_state_large_programs>, task_state_waiting_programs>;

}  // namespace licit::models

#endif
