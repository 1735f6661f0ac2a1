/// Every client program. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_PROGRAMS_HPP

#include "programs/chase_lev/crowd.hpp"
#include "programs/chase_lev/destruction.hpp"
#include "programs/chase_lev/empty_pop.hpp"
#include "programs/chase_lev/growth.hpp"
#include "programs/chase_lev/growth_two_thieves.hpp"
#include "programs/chase_lev/lap_two_thieves.hpp"
#include "programs/chase_lev/last_item.hpp"
#include "programs/chase_lev/last_item_two_thieves.hpp"
#include "programs/chase_lev/no_false_empty.hpp"
#include "programs/chase_lev/overwrite.hpp"
#include "programs/chase_lev/refill.hpp"
#include "programs/chase_lev/restored_bottom.hpp"
#include "programs/chase_lev/two_items.hpp"
#include "programs/chase_lev/two_thieves.hpp"
#include "programs/chase_lev/wrap_around.hpp"
#include "programs/list.hpp"

namespace licit::models {

using chase_lev_programs =
    program_list<last_item, empty_pop, overwrite, no_false_empty, refill, two_items, restored_bottom, wrap_around,
                 growth, destruction, last_item_two_thieves, two_thieves, crowd, lap_two_thieves, growth_two_thieves>;

}  // namespace licit::models

#endif
