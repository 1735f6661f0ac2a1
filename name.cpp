#include "stress/structure.hpp"

namespace licit::stress {

std::string_view structure_name() { return "chase-lev"; }

}  // namespace licit::stress
