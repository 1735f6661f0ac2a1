/// Every client program of the run queue. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/run_queue/both_ways.hpp"
#include "programs/run_queue/crowd.hpp"
#include "programs/run_queue/destruction.hpp"
#include "programs/run_queue/empty_pop.hpp"
#include "programs/run_queue/filled_while_stolen_from.hpp"
#include "programs/run_queue/half.hpp"
#include "programs/run_queue/half_overflow.hpp"
#include "programs/run_queue/half_overwrite.hpp"
#include "programs/run_queue/half_wraps_around.hpp"
#include "programs/run_queue/lap_two_thieves.hpp"
#include "programs/run_queue/last_item.hpp"
#include "programs/run_queue/little_room.hpp"
#include "programs/run_queue/most.hpp"
#include "programs/run_queue/no_false_empty.hpp"
#include "programs/run_queue/overflow.hpp"
#include "programs/run_queue/overwrite.hpp"
#include "programs/run_queue/refused.hpp"
#include "programs/run_queue/room_made.hpp"
#include "programs/run_queue/stolen_on.hpp"
#include "programs/run_queue/two_halves.hpp"
#include "programs/run_queue/two_thieves.hpp"
#include "programs/run_queue/wrap_around.hpp"

namespace licit::models {

using run_queue_programs =
    program_list<on_run_queue::last_item, on_run_queue::empty_pop, on_run_queue::overwrite,
                 on_run_queue::half_overwrite, on_run_queue::no_false_empty, on_run_queue::refused, on_run_queue::most,
                 on_run_queue::half, on_run_queue::two_halves, on_run_queue::little_room, on_run_queue::overflow,
                 on_run_queue::half_overflow, on_run_queue::wrap_around, on_run_queue::half_wraps_around,
                 on_run_queue::destruction, on_run_queue::filled_while_stolen_from, on_run_queue::stolen_on,
                 on_run_queue::room_made, on_run_queue::two_thieves, on_run_queue::both_ways, on_run_queue::crowd,
                 on_run_queue::lap_two_thieves>;

}  // namespace licit::models

#endif
