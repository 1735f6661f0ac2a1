/// Must-fail mutants of the LIFO slot. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_MUTANTS_HPP

#include <array>

#include "programs/lifo_slot/otherwise.hpp"
#include "programs/list.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array lifo_slot_mutants{
    mutant{"put.store relaxed", {"put.store", change::weaken}, {}},
    mutant{"put.swap relaxed", {"put.swap", change::weaken}, {}},
    mutant{"steal.swap relaxed", {"steal.swap", change::weaken}, {}},
    mutant{"put publishes nothing", {"put.store", change::drop}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using lifo_slot_broken_programs = program_list<on_lifo_slot::steal_in_two_steps, on_lifo_slot::take_in_two_steps,
                                               on_lifo_slot::put_in_two_steps, on_lifo_slot::put_over_an_item>;

}  // namespace licit::models

#endif
