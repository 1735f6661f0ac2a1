/// Every client program of the split deque. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/split/answered.hpp"
#include "programs/split/asked_again.hpp"
#include "programs/split/crowd.hpp"
#include "programs/split/destruction.hpp"
#include "programs/split/empty_pop.hpp"
#include "programs/split/full_word.hpp"
#include "programs/split/growth.hpp"
#include "programs/split/growth_two_thieves.hpp"
#include "programs/split/half.hpp"
#include "programs/split/half_again.hpp"
#include "programs/split/half_little_room.hpp"
#include "programs/split/half_of_growing.hpp"
#include "programs/split/half_overwrite.hpp"
#include "programs/split/half_returned_word.hpp"
#include "programs/split/half_stolen_from.hpp"
#include "programs/split/half_two_thieves.hpp"
#include "programs/split/lap.hpp"
#include "programs/split/lap_two_thieves.hpp"
#include "programs/split/last_public.hpp"
#include "programs/split/last_public_two_thieves.hpp"
#include "programs/split/no_false_empty.hpp"
#include "programs/split/not_empty_while_renumbered.hpp"
#include "programs/split/overwrite.hpp"
#include "programs/split/private_part.hpp"
#include "programs/split/renumbered.hpp"
#include "programs/split/renumbered_later.hpp"
#include "programs/split/request.hpp"
#include "programs/split/returned_word.hpp"
#include "programs/split/taken_back.hpp"
#include "programs/split/top_wraps.hpp"
#include "programs/split/two_thieves.hpp"

namespace licit::models {

using split_programs =
    program_list<on_split::last_public, on_split::last_public_two_thieves, on_split::request, on_split::private_part,
                 on_split::taken_back, on_split::empty_pop, on_split::returned_word, on_split::overwrite, on_split::lap,
                 on_split::lap_two_thieves, on_split::growth, on_split::growth_two_thieves, on_split::destruction,
                 on_split::two_thieves, on_split::crowd, on_split::no_false_empty, on_split::answered,
                 on_split::asked_again, on_split::full_word, on_split::top_wraps, on_split::renumbered,
                 on_split::renumbered_later, on_split::not_empty_while_renumbered, on_split::half,
                 on_split::half_two_thieves, on_split::half_little_room, on_split::half_stolen_from,
                 on_split::half_overwrite, on_split::half_of_growing, on_split::half_returned_word,
                 on_split::half_again>;

}  // namespace licit::models

#endif
