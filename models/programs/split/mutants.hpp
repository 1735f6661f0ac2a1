/// Must-fail mutants of the split deque. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_MUTANTS_HPP

#include <array>

#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array split_mutants{
    mutant{"room.word relaxed", {"room.word", change::weaken}, no_load_buffering},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"answer.publish relaxed", {"answer.publish", change::weaken}, {}},
    mutant{"renumber.word relaxed", {"renumber.word", change::weaken}, {}},
    mutant{"steal.word relaxed", {"steal.word", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"size.word relaxed", {"size.word", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"reclaim.take a blind store", {"reclaim.take", change::blind_store}, {}},
    mutant{"ask.raise left out", {"ask.raise", change::drop}, {}},
    mutant{"push.bottom left out", {"push.bottom", change::drop}, {}},
    mutant{"pop.bottom left out", {"pop.bottom", change::drop}, {}},
    mutant{"renumber.bottom left out", {"renumber.bottom", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
};

}  // namespace licit::models

#endif
