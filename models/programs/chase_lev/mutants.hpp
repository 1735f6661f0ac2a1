/// Must-fail mutants of the Chase-Lev deque. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_MUTANTS_HPP

#include <array>

#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array chase_lev_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences},
    mutant{"pop.fence acq_rel", {"pop.fence", change::weaken, order::acq_rel}, {}},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"steal.fence acq_rel", {"steal.fence", change::weaken, order::acq_rel}, {}},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, {}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, {}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
};

}  // namespace licit::models

#endif
