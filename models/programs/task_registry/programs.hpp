/// Every client program of the task registry. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/task_registry/add_against_close.hpp"
#include "programs/task_registry/add_against_sweep.hpp"
#include "programs/task_registry/adders.hpp"
#include "programs/task_registry/all_at_once.hpp"
#include "programs/task_registry/sweep_against_close.hpp"
#include "programs/task_registry/sweeps.hpp"

namespace licit::models {

using task_registry_programs =
    program_list<on_task_registry::adders, on_task_registry::add_against_close, on_task_registry::add_against_sweep,
                 on_task_registry::sweeps, on_task_registry::sweep_against_close, on_task_registry::all_at_once>;

}  // namespace licit::models

#endif
