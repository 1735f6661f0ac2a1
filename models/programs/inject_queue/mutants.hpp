/// Must-fail mutants of the inject queue. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_MUTANTS_HPP

#include <array>
#include <string_view>

#include "programs/inject_queue/cell_left.hpp"
#include "programs/inject_queue/cell_trusted.hpp"
#include "programs/inject_queue/claim_uncounted.hpp"
#include "programs/inject_queue/freed_at_once.hpp"
#include "programs/inject_queue/lives_mixed_up.hpp"
#include "programs/inject_queue/ticket_uncounted.hpp"
#include "programs/list.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::string_view inject_construction =
    "an atomic is accessed by who need not see that it was made before, or after it is destroyed: Relacy does not look";
inline constexpr std::string_view inject_exceptions = "what shows it throws, and so is not run there";

inline constexpr std::array inject_queue_mutants{
    mutant{"push.ticket relaxed", {"push.ticket", change::weaken}, inject_construction},
    mutant{"push.item relaxed", {"push.item", change::weaken}, {}},
    mutant{"batch.ticket relaxed", {"batch.ticket", change::weaken}, inject_construction},
    mutant{"extend.next relaxed", {"extend.next", change::weaken}, {}},
    mutant{"extend.link relaxed", {"extend.link", change::weaken}, {}},
    mutant{"move.tail relaxed", {"move.tail", change::weaken}, {}},
    mutant{"return.ticket relaxed", {"return.ticket", change::weaken}, inject_exceptions},
    mutant{"look.tail relaxed", {"look.tail", change::weaken}, inject_construction},
    mutant{"pop.claim relaxed", {"pop.claim", change::weaken}, {}},
    mutant{"pop.item relaxed", {"pop.item", change::weaken}, {}},
    mutant{"pop.poison relaxed", {"pop.poison", change::weaken}, {}},
    mutant{"advance.claim relaxed", {"advance.claim", change::weaken}, {}},
    mutant{"advance.tail relaxed", {"advance.tail", change::weaken}, inject_construction},
    mutant{"advance.head relaxed", {"advance.head", change::weaken}, {}},
    mutant{"finish.count relaxed", {"finish.count", change::weaken}, inject_construction},
    mutant{"obtain.spare relaxed", {"obtain.spare", change::weaken}, inject_construction},
    mutant{"recycle.spare relaxed", {"recycle.spare", change::weaken}, inject_construction},
    mutant{"keep.push relaxed", {"keep.push", change::weaken}, inject_exceptions},
    mutant{"drain.take relaxed", {"drain.take", change::weaken}, inject_exceptions},
    mutant{"push.item a blind store", {"push.item", change::blind_store}, {}},
    mutant{"batch.ticket a blind store", {"batch.ticket", change::blind_store}, {}},
    mutant{"extend.link a blind store", {"extend.link", change::blind_store}, {}},
    mutant{"move.tail a blind store", {"move.tail", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"advance.claim a blind store", {"advance.claim", change::blind_store}, {}},
    mutant{"advance.head a blind store", {"advance.head", change::blind_store}, {}},
    mutant{"recycle.spare a blind store", {"recycle.spare", change::blind_store}, {}},
    mutant{"keep.push a blind store", {"keep.push", change::blind_store}, inject_exceptions},
    mutant{"a new segment is not filled", {"extend.fill", change::drop}, {}},
};

/// Mutants of the algorithm: each program is wrong by itself.
using inject_queue_broken_programs =
    program_list<on_inject_queue::cell_left, on_inject_queue::cell_trusted, on_inject_queue::ticket_uncounted,
                 on_inject_queue::claim_uncounted, on_inject_queue::freed_at_once, on_inject_queue::lives_mixed_up>;

}  // namespace licit::models

#endif
