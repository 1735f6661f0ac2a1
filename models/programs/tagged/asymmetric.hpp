/// The client programs of the tagged deque, over asymmetric fences: the owner's light, the thieves' heavy.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_ASYMMETRIC_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_ASYMMETRIC_HPP

#include <licit/deque/asymmetric.hpp>

#include "programs/chase_lev/asymmetric.hpp"
#include "programs/tagged/mutants.hpp"
#include "programs/tagged/programs.hpp"

namespace licit::models {

using tagged_asymmetric_programs = adapted_list<asymmetric_policy, tagged_programs>::type;
using tagged_asymmetric_broken_programs = adapted_list<asymmetric_policy, tagged_broken_programs>::type;

}  // namespace licit::models

#endif
