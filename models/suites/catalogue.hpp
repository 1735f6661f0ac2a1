/// The structures that are checked, each with its ordering table, client programs and mutants, as data.
#ifndef LICIT_SUITES_CATALOGUE_HPP
#define LICIT_SUITES_CATALOGUE_HPP

#include <span>

#include "suites/structure.hpp"

namespace licit::suites {

/// All of them, in the order of suites/CMakeLists.txt. Made once.
std::span<const structure> structures();

}  // namespace licit::suites

#endif
