/// Must-fail mutants of the tagged deque: of its tables' rows, and of its rules.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_MUTANTS_HPP

#include <array>
#include <string_view>

#include "program.hpp"
#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/tagged/broken_rules.hpp"
#include "programs/tagged/half_pushed.hpp"
#include "programs/tagged/stale_look.hpp"
#include "programs/tagged/two_halves.hpp"

namespace licit::models {

inline constexpr std::array tagged_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences},
    mutant{"pop.fence acq_rel", {"pop.fence", change::weaken, order::acq_rel}, {}},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"renew.publish relaxed", {"renew.publish", change::weaken}, {}},
    mutant{"steal.fence acq_rel", {"steal.fence", change::weaken, order::acq_rel}, {}},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, {}},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, {}},
    mutant{"renew.claim a blind store", {"renew.claim", change::blind_store}, {}},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, {}},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
    mutant{"renewal forgets an item", {"renew.copy", change::drop_first}, {}},
    mutant{"renewal publishes nothing", {"renew.publish", change::drop}, {}},
    mutant{"a half forgets an item", {"half.item", change::drop_first}, {}},
    mutant{"a half publishes nothing", {"half.publish", change::drop}, {}},
};

namespace on_tagged {
inline constexpr std::string_view not_in_relacy = "Relacy has no asymmetric fences";
}

/// Of the table with light and heavy fences. Two light ones are as none in the thief.
inline constexpr std::array tagged_asymmetric_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, on_tagged::not_in_relacy},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, on_tagged::not_in_relacy},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, on_tagged::not_in_relacy},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, on_tagged::not_in_relacy},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, on_tagged::not_in_relacy},
    mutant{"renew.publish relaxed", {"renew.publish", change::weaken}, on_tagged::not_in_relacy},
    mutant{"steal.fence removed", {"steal.fence", change::drop}, on_tagged::not_in_relacy},
    mutant{"steal.bottom relaxed", {"steal.bottom", change::weaken}, on_tagged::not_in_relacy},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, on_tagged::not_in_relacy},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, on_tagged::not_in_relacy},
    mutant{"half.publish relaxed", {"half.publish", change::weaken}, on_tagged::not_in_relacy},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, on_tagged::not_in_relacy},
    mutant{"pop.claim a blind store", {"pop.claim", change::blind_store}, on_tagged::not_in_relacy},
    mutant{"renew.claim a blind store", {"renew.claim", change::blind_store}, on_tagged::not_in_relacy},
    mutant{"pop.reserve left out", {"pop.reserve", change::drop}, on_tagged::not_in_relacy},
    mutant{"pop.restore left out", {"pop.restore", change::drop}, on_tagged::not_in_relacy},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, on_tagged::not_in_relacy},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, on_tagged::not_in_relacy},
    mutant{"renewal forgets an item", {"renew.copy", change::drop_first}, on_tagged::not_in_relacy},
    mutant{"renewal publishes nothing", {"renew.publish", change::drop}, on_tagged::not_in_relacy},
    mutant{"a half forgets an item", {"half.item", change::drop_first}, on_tagged::not_in_relacy},
    mutant{"a half publishes nothing", {"half.publish", change::drop}, on_tagged::not_in_relacy},
    mutant{"pop.fence orders nothing", {"pop.fence", change::symmetric}, on_tagged::not_in_relacy},
    mutant{"steal.fence an ordinary fence", {"steal.fence", change::symmetric}, on_tagged::not_in_relacy},
};

namespace on_tagged {

template <class Model>
struct no_tag : stale_look<untagged<Model>> {
  static constexpr program_info about{"no_tag", "no tag: raising it changes nothing", 2, reach::none};
};

template <class Model>
struct one_too_free : stale_look<bold<Model>> {
  static constexpr program_info about{"one_too_free", "the owner takes one item too many freely", 2, reach::none};
};

template <class Model>
struct claims_the_last_only : half_pushed<reckless<Model>> {
  static constexpr program_info about{"claims_the_last_only", "the owner changes top for the last item only", 2,
                                      reach::none};
};

template <class Model>
struct high_forgotten : half_pushed<forgetful<Model>> {
  static constexpr program_info about{"high_forgotten", "the highest bottom is that of the last pop", 2, reach::none};
};

template <class Model>
struct more_than_half : half_pushed<greedy<Model>> {
  static constexpr program_info about{"more_than_half", "a thief takes one more than half", 2, reach::none};
};

template <class Model>
struct published_before_claimed : two_halves<hasty<Model>> {
  static constexpr program_info about{"published_before_claimed", "a thief publishes what it then fails to claim", 3,
                                      reach::none};
};

}  // namespace on_tagged

/// Each must be found wrong.
using tagged_broken_programs =
    program_list<on_tagged::no_tag, on_tagged::one_too_free, on_tagged::claims_the_last_only, on_tagged::high_forgotten,
                 on_tagged::more_than_half, on_tagged::published_before_claimed>;

}  // namespace licit::models

#endif
