/// Must-fail mutants of the crew. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_CREW_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_MUTANTS_HPP

#include <array>

#include "programs/crew/broken.hpp"
#include "programs/list.hpp"
#include "programs/mutant.hpp"

namespace licit::models {

inline constexpr std::array crew_mutants{
    mutant{"announce.fence removed", {"announce.fence", change::drop}, {}},
    mutant{"announce.fence acq_rel", {"announce.fence", change::weaken, order::acq_rel}, {}},
    mutant{"look.fence removed", {"look.fence", change::drop}, {}},
    mutant{"look.fence acq_rel", {"look.fence", change::weaken, order::acq_rel}, {}},
    mutant{"stop.set removed", {"stop.set", change::drop}, {}},
};

inline constexpr std::array crew_asymmetric_mutants{
    mutant{"announce.fence removed", {"announce.fence", change::drop}, no_asymmetric_fences},
    mutant{"announce.fence not light", {"announce.fence", change::symmetric}, no_asymmetric_fences},
    mutant{"look.fence removed", {"look.fence", change::drop}, no_asymmetric_fences},
    mutant{"look.fence an ordinary one", {"look.fence", change::symmetric}, no_asymmetric_fences},
    mutant{"stop.set removed", {"stop.set", change::drop}, no_asymmetric_fences},
};

using crew_broken_programs =
    program_list<on_crew::parks_without_a_look, on_crew::wakes_no_other, on_crew::batch_not_told,
                 on_crew::slot_left_behind, on_crew::yielded_left_behind>;

}  // namespace licit::models

#endif
