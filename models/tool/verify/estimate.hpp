/// `licit verify --estimate`: how many executions the programs have, before they are explored.
#ifndef LICIT_MODELS_TOOL_VERIFY_ESTIMATE_HPP
#define LICIT_MODELS_TOOL_VERIFY_ESTIMATE_HPP

#include "verify/command.hpp"

namespace licit::tool {

/// Prints a row for each program. Returns `violated` if a probe came to an execution that is wrong.
int estimate(const verify_options& options);

}  // namespace licit::tool

#endif
