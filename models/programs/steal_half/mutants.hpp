/// Must-fail mutants of steal-half: those of its rows, and a theft with a step left out.
#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_MUTANTS_HPP

#include <array>
#include <string_view>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/steal_half/unroomed.hpp"
#include "programs/steal_half/unseen.hpp"

namespace licit::models {

inline constexpr std::string_view accesses_with_fences =
    "Relacy does not order seq_cst accesses with seq_cst fences, and is not asked where that decides";

inline constexpr std::array steal_half_mutants{
    mutant{"half.fence acq_rel", {"half.fence", change::weaken, order::acq_rel}, accesses_with_fences},
    mutant{"half.fence removed", {"half.fence", change::drop}, accesses_with_fences},
    mutant{"half.bottom relaxed", {"half.bottom", change::weaken}, {}},
    mutant{"half.ring relaxed", {"half.ring", change::weaken}, {}},
    mutant{"half.claim acq_rel", {"half.claim", change::weaken, order::acq_rel}, accesses_with_fences},
    mutant{"half.claim relaxed", {"half.claim", change::weaken}, accesses_with_fences},
    mutant{"half.claim a blind store", {"half.claim", change::blind_store}, {}},
    mutant{"half.again acquire", {"half.again", change::weaken, order::acquire}, accesses_with_fences},
    mutant{"half.again relaxed", {"half.again", change::weaken}, accesses_with_fences},
};

/// Each is found wrong whatever the orders.
using steal_half_broken_programs = program_list<on_steal_half::unseen, on_steal_half::unroomed>;

}  // namespace licit::models

#endif
