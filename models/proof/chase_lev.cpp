#include <licit/deque/chase_lev.hpp>

#include "proof/structures.hpp"

namespace licit::proof {

transition_system shipped_chase_lev() { return chase_lev_system<licit::chase_lev<item, symbolic>>(); }

}  // namespace licit::proof
