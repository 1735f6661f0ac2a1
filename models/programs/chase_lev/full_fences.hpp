/// Asymmetric fences where the kernel refuses them: the same table, with full fences on both sides.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_FULL_FENCES_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_FULL_FENCES_HPP

#include <licit/deque/chase_lev_orders.hpp>

#include "programs/chase_lev/asymmetric.hpp"

namespace licit::models {

/// A light or heavy fence is the fence that the symmetric table has under the same name.
template <class Model>
struct full_fences : asymmetric<Model> {
  struct fences {
    template <class Site>
    void operator()(Site /*site*/) const {
      Model::fence(site<chase_lev_orders, chase_lev_orders.find(Site::entry.site)>{});
    }
  };
};

using chase_lev_fallback_programs = adapted_list<full_fences, chase_lev_programs, restored_bottom>::type;

}  // namespace licit::models

#endif
