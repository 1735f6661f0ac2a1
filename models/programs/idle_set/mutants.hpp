/// Must-fail mutants of the idle set. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_MUTANTS_HPP

#include <array>

#include "programs/idle_set/otherwise.hpp"
#include "programs/list.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array idle_set_mutants{
    mutant{"park.count relaxed", {"park.count", change::weaken}, {}},
    mutant{"end.count relaxed",
           {"end.count", change::weaken},
           "the program that shows it has fences of its own, which Relacy's model does not take"},
    mutant{"claim.take acquire", {"claim.take", change::weaken, order::acquire}, {}},
    mutant{"claim.take release", {"claim.take", change::weaken, order::release}, {}},
    mutant{"claim.clear relaxed", {"claim.clear", change::weaken}, {}},
    mutant{"parked.look relaxed", {"parked.look", change::weaken}, {}},
    mutant{"claim.take a blind store", {"claim.take", change::blind_store}, {}},
    mutant{"retract.take a blind store", {"retract.take", change::blind_store}, {}},
    mutant{"begin.count a blind store", {"begin.count", change::blind_store}, {}},
};

/// Mutants of the algorithm, and of its callers' rules: each program is wrong by itself.
using idle_set_broken_programs =
    program_list<on_idle_set::claim_counts_no_searcher, on_idle_set::end_counts_nothing, on_idle_set::park_without_bit,
                 on_idle_set::park_in_two_steps, on_idle_set::counters_apart, on_idle_set::claim_takes_no_unit,
                 on_idle_set::clear_in_two_steps, on_idle_set::unit_not_returned, on_idle_set::parked_beside_a_claim,
                 on_idle_set::published_unfenced, on_idle_set::parked_unfenced, on_idle_set::parked_without_a_look>;

}  // namespace licit::models

#endif
