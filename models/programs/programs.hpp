/// Every client program. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_PROGRAMS_HPP

#include "programs/destruction.hpp"
#include "programs/empty_pop.hpp"
#include "programs/growth.hpp"
#include "programs/last_item.hpp"
#include "programs/last_item_two_thieves.hpp"
#include "programs/no_false_empty.hpp"
#include "programs/overwrite.hpp"
#include "programs/refill.hpp"
#include "programs/two_items.hpp"
#include "programs/two_thieves.hpp"
#include "programs/wrap_around.hpp"

namespace licit::models {

template <template <class> class... Programs>
struct program_list {
  /// Calls `visit.template operator()<Program>()` for each.
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<Programs>(), ...);
  }
};

using deque_programs = program_list<last_item, empty_pop, overwrite, no_false_empty, refill, two_items, wrap_around,
                                    growth, destruction, last_item_two_thieves, two_thieves>;

}  // namespace licit::models

#endif
