/// The structures that are audited: each ordering table with its client programs.
#ifndef LICIT_MODELS_STRUCTURES_HPP
#define LICIT_MODELS_STRUCTURES_HPP

#include <vector>

#include <licit/audit/subject.hpp>

namespace licit::models {

std::vector<audit::subject> structures();

}  // namespace licit::models

#endif
