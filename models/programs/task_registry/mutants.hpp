/// Must-fail mutants of the task registry. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_TASK_REGISTRY_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_REGISTRY_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/task_registry/keeps_links.hpp"
#include "programs/task_registry/reopens.hpp"

namespace licit::models {

inline constexpr std::array task_registry_mutants{
    mutant{"push.chain relaxed", {"push.chain", change::weaken}, {}},
    mutant{"sweep.take relaxed", {"sweep.take", change::weaken}, {}},
    mutant{"close.take relaxed", {"close.take", change::weaken}, {}},
    mutant{"push.chain a blind store", {"push.chain", change::blind_store}, {}},
    mutant{"sweep.take a blind store", {"sweep.take", change::blind_store}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using task_registry_broken_programs = program_list<on_task_registry::keeps_links, on_task_registry::reopens>;

}  // namespace licit::models

#endif
