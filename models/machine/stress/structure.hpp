/// The structure that this executable is of.
#ifndef LICIT_MODELS_STRESS_STRUCTURE_HPP
#define LICIT_MODELS_STRESS_STRUCTURE_HPP

#include <string_view>

namespace licit::stress {

/// Its table's name.
std::string_view structure_name();

}  // namespace licit::stress

#endif
