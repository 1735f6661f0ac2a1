/// Must-fail mutants of the run queue. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/run_queue/index_comes_round.hpp"
#include "programs/run_queue/number_underflows.hpp"
#include "programs/run_queue/room_not_counted.hpp"

namespace licit::models {

inline constexpr std::array run_queue_mutants{
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"room.head relaxed", {"room.head", change::weaken}, no_load_buffering},
    mutant{"steal.tail relaxed", {"steal.tail", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"half.tail relaxed", {"half.tail", change::weaken}, {}},
    mutant{"half.claim relaxed", {"half.claim", change::weaken}, no_load_buffering},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"half.claim a blind store", {"half.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"overflow.claim a blind store", {"overflow.claim", change::blind_store}, {}},
    mutant{"push publishes nothing", {"push.publish", change::drop}, {}},
    mutant{"half publishes nothing", {"half.publish", change::drop}, {}},
    mutant{"half copies one too few", {"half.copy", change::drop_first}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using run_queue_broken_programs =
    program_list<on_run_queue::index_comes_round, on_run_queue::number_underflows, on_run_queue::room_not_counted>;

}  // namespace licit::models

#endif
