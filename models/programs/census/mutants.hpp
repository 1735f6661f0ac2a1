/// Must-fail mutants of the census.
#ifndef LICIT_MODELS_PROGRAMS_CENSUS_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array census_mutants{
    mutant{"leave.count relaxed", {"leave.count", change::weaken}, {}},
    mutant{"sum.gone relaxed", {"sum.gone", change::weaken}, {}},
    mutant{"tell.fence removed", {"tell.fence", change::drop}, {}},
    mutant{"tell.fence not light", {"tell.fence", change::symmetric}, {}},
    mutant{"wait.fence removed", {"wait.fence", change::drop}, {}},
    mutant{"wait.fence not heavy", {"wait.fence", change::symmetric}, {}},
    mutant{"wait.begin removed", {"wait.begin", change::drop}, {}},
    mutant{"child.count removed", {"child.count", change::drop}, {}},
    mutant{"enter.count a blind store", {"enter.count", change::blind_store}, {}},
};

}  // namespace licit::models

#endif
