/// Every client program of the parker. models/CMakeLists.txt has the same list, one translation unit a program.
#ifndef LICIT_MODELS_PROGRAMS_PARKER_PROGRAMS_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_PROGRAMS_HPP

#include "programs/list.hpp"
#include "programs/parker/gone.hpp"
#include "programs/parker/ping_pong.hpp"
#include "programs/parker/token.hpp"
#include "programs/parker/two_unparkers.hpp"

namespace licit::models {

using parker_programs = program_list<on_parker::token, on_parker::ping_pong, on_parker::two_unparkers, on_parker::gone>;

}  // namespace licit::models

#endif
