/// Every client program of the LIFO slot. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_PROGRAMS_HPP

#include "programs/lifo_slot/displaced.hpp"
#include "programs/lifo_slot/last_item.hpp"
#include "programs/lifo_slot/never_empty.hpp"
#include "programs/lifo_slot/reuse.hpp"
#include "programs/lifo_slot/two_thieves.hpp"
#include "programs/list.hpp"

namespace licit::models {

using lifo_slot_programs = program_list<on_lifo_slot::last_item, on_lifo_slot::displaced, on_lifo_slot::never_empty,
                                        on_lifo_slot::reuse, on_lifo_slot::two_thieves>;

}  // namespace licit::models

#endif
