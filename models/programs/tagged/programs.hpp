/// Every client program. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/tagged/crowd.hpp"
#include "programs/tagged/crowd_of_raiders.hpp"
#include "programs/tagged/deep.hpp"
#include "programs/tagged/destruction.hpp"
#include "programs/tagged/empty_pop.hpp"
#include "programs/tagged/growth.hpp"
#include "programs/tagged/growth_half.hpp"
#include "programs/tagged/half_pushed.hpp"
#include "programs/tagged/last_index.hpp"
#include "programs/tagged/last_item.hpp"
#include "programs/tagged/little_room.hpp"
#include "programs/tagged/mutual.hpp"
#include "programs/tagged/no_false_empty.hpp"
#include "programs/tagged/no_room.hpp"
#include "programs/tagged/overwrite.hpp"
#include "programs/tagged/overwrite_half.hpp"
#include "programs/tagged/raided.hpp"
#include "programs/tagged/raided_full.hpp"
#include "programs/tagged/refill.hpp"
#include "programs/tagged/renewal.hpp"
#include "programs/tagged/renewal_crowd.hpp"
#include "programs/tagged/renewal_two_thieves.hpp"
#include "programs/tagged/renewal_wraps.hpp"
#include "programs/tagged/stale_bottom.hpp"
#include "programs/tagged/stale_look.hpp"
#include "programs/tagged/three_items.hpp"
#include "programs/tagged/two_halves.hpp"
#include "programs/tagged/two_items.hpp"
#include "programs/tagged/wrap_around.hpp"
#include "programs/tagged/wrap_around_half.hpp"

namespace licit::models {

using tagged_programs =
    program_list<on_tagged::last_item, on_tagged::empty_pop, on_tagged::overwrite, on_tagged::no_false_empty,
                 on_tagged::refill, on_tagged::two_items, on_tagged::three_items, on_tagged::overwrite_half,
                 on_tagged::half_pushed, on_tagged::stale_look, on_tagged::deep, on_tagged::wrap_around,
                 on_tagged::wrap_around_half, on_tagged::growth, on_tagged::growth_half, on_tagged::no_room,
                 on_tagged::little_room, on_tagged::renewal, on_tagged::renewal_wraps, on_tagged::renewal_crowd,
                 on_tagged::destruction, on_tagged::stale_bottom, on_tagged::two_halves, on_tagged::raided,
                 on_tagged::raided_full, on_tagged::mutual, on_tagged::renewal_two_thieves, on_tagged::crowd,
                 on_tagged::crowd_of_raiders, on_tagged::last_index>;

}  // namespace licit::models

#endif
