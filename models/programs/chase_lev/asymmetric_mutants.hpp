/// Must-fail mutants of the Chase-Lev deque over asymmetric fences: rows made wrong, and programs over fences that are.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_ASYMMETRIC_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_ASYMMETRIC_MUTANTS_HPP

#include <array>
#include <string_view>

#include "programs/chase_lev/asymmetric.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array chase_lev_asymmetric_mutants{
    mutant{"push.room relaxed", {"push.room", change::weaken}, no_load_buffering},
    mutant{"push.publish relaxed", {"push.publish", change::weaken}, {}},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"pop.reserve relaxed", {"pop.reserve", change::weaken}, old_release_sequences},
    mutant{"pop.restore relaxed", {"pop.restore", change::weaken}, old_release_sequences},
    mutant{"pop.fence removed", {"pop.fence", change::drop}, {}},
    mutant{"steal.fence an ordinary one", {"steal.fence", change::symmetric}, no_asymmetric_fences},
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

/// The thief's fence is light too.
template <class Model>
struct light_steals : asymmetric<Model> {
  struct fences {
    template <class Site>
    void operator()(Site site) const {
      if constexpr (Site::entry.kind == operation::heavy_fence) {
        Model::light_fence("steal.fence");
      } else {
        Model::fence(site);
      }
    }
  };
};

/// A light fence before a relaxed store in place of push's release store.
template <class Model>
struct light_pushes : asymmetric<Model> {
  template <class T>
  class atomic : public asymmetric<Model>::template atomic<T> {
   public:
    using base = typename asymmetric<Model>::template atomic<T>;
    using base::base;

    template <class Site>
    void store(T value, Site site) {
      if constexpr (std::string_view(Site::entry.site) == "push.publish") {
        Model::light_fence("push.fence");
        base::store(value, order::relaxed, "push.publish");
      } else {
        base::store(value, site);
      }
    }
  };
};

template <class Model>
struct two_light_fences : two_items<light_steals<Model>> {
  static constexpr program_info about{"two_light_fences", "two_items, with a light fence on the thief's side too", 2,
                                      reach::sampled};
};

/// In two_items it goes unnoticed: the thief's look and its heavy fence after it are an acquire for that store.
template <class Model>
struct light_release : restored_bottom<light_pushes<Model>> {
  static constexpr program_info about{"light_release",
                                      "restored_bottom, with a light fence before a relaxed store for push's release",
                                      2, reach::sampled};
};

using chase_lev_asymmetric_broken_programs = program_list<two_light_fences, light_release>;

}  // namespace licit::models

#endif
