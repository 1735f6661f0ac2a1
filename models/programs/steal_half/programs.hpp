/// Every client program of steal-half. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/steal_half/beside_steal.hpp"
#include "programs/steal_half/capped.hpp"
#include "programs/steal_half/destruction.hpp"
#include "programs/steal_half/growth.hpp"
#include "programs/steal_half/lap.hpp"
#include "programs/steal_half/mutual.hpp"
#include "programs/steal_half/no_false_empty.hpp"
#include "programs/steal_half/no_room.hpp"
#include "programs/steal_half/only_item.hpp"
#include "programs/steal_half/overwrite.hpp"
#include "programs/steal_half/own_growth.hpp"
#include "programs/steal_half/reclaim.hpp"
#include "programs/steal_half/renewal.hpp"
#include "programs/steal_half/robbed.hpp"
#include "programs/steal_half/share.hpp"
#include "programs/steal_half/twice.hpp"
#include "programs/steal_half/two_thieves.hpp"

namespace licit::models {

using steal_half_programs =
    program_list<on_steal_half::only_item, on_steal_half::overwrite, on_steal_half::no_false_empty,
                 on_steal_half::reclaim, on_steal_half::share, on_steal_half::renewal, on_steal_half::twice,
                 on_steal_half::lap, on_steal_half::growth, on_steal_half::capped, on_steal_half::no_room,
                 on_steal_half::mutual, on_steal_half::destruction, on_steal_half::robbed, on_steal_half::own_growth,
                 on_steal_half::two_thieves, on_steal_half::beside_steal>;

}  // namespace licit::models

#endif
