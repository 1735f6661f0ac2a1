/// Must-fail mutants of the parker. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_PARKER_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/parker/otherwise.hpp"

namespace licit::models {

inline constexpr std::array parker_mutants{
    mutant{"park.begin relaxed", {"park.begin", change::weaken}, {}},
    mutant{"park.take relaxed", {"park.take", change::weaken}, {}},
    mutant{"unpark.swap relaxed", {"unpark.swap", change::weaken}, {}},
    mutant{"park.take a blind store", {"park.take", change::blind_store}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using parker_broken_programs =
    program_list<on_parker::unpark_looks_first, on_parker::unpark_compares, on_parker::unpark_wakes_nobody,
                 on_parker::park_trusts_wakes, on_parker::park_stores, on_parker::park_begins_in_two_steps>;

}  // namespace licit::models

#endif
