/// Must-fail mutants of a task's state. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/task_state/completions_torn.hpp"
#include "programs/task_state/forgets_yields.hpp"
#include "programs/task_state/ignores_joiners.hpp"
#include "programs/task_state/ignores_notifications.hpp"
#include "programs/task_state/ignores_sleepers.hpp"
#include "programs/task_state/joins_torn.hpp"
#include "programs/task_state/looks_before_it_wakes.hpp"
#include "programs/task_state/releases_torn.hpp"
#include "programs/task_state/suspends_torn.hpp"
#include "programs/task_state/wakes_torn.hpp"

namespace licit::models {

inline constexpr std::array task_state_mutants{
    mutant{"begin.take relaxed", {"begin.take", change::weaken}, {}},
    mutant{"suspend.leave relaxed", {"suspend.leave", change::weaken}, {}},
    mutant{"wake.notify relaxed", {"wake.notify", change::weaken}, {}},
    mutant{"cancel.notify relaxed", {"cancel.notify", change::weaken}, {}},
    mutant{"complete.publish relaxed", {"complete.publish", change::weaken}, {}},
    mutant{"complete.publish acquire", {"complete.publish", change::weaken, order::acquire}, {}},
    mutant{"complete.publish release", {"complete.publish", change::weaken, order::release}, {}},
    mutant{"look.state relaxed", {"look.state", change::weaken}, {}},
    mutant{"join.register relaxed", {"join.register", change::weaken}, {}},
    mutant{"release.count relaxed", {"release.count", change::weaken}, {}},
    mutant{"release.count acquire", {"release.count", change::weaken, order::acquire}, {}},
    mutant{"release.count release", {"release.count", change::weaken, order::release}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using task_state_broken_programs =
    program_list<on_task_state::forgets_yields, on_task_state::wakes_torn, on_task_state::suspends_torn,
                 on_task_state::completions_torn, on_task_state::joins_torn, on_task_state::releases_torn,
                 on_task_state::looks_before_it_wakes, on_task_state::ignores_notifications,
                 on_task_state::ignores_joiners, on_task_state::ignores_sleepers>;

}  // namespace licit::models

#endif
