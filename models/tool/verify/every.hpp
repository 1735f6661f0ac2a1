/// `licit verify --every N`: all clients of up to N calls, judged by the structures' specifications.
#ifndef LICIT_MODELS_TOOL_VERIFY_EVERY_HPP
#define LICIT_MODELS_TOOL_VERIFY_EVERY_HPP

#include "verify/command.hpp"

namespace licit::tool {

/// Runs and prints; the exit status. Throws std::runtime_error if no chosen structure has a specification, or a process
/// died.
int verify_every(const verify_options& options);

}  // namespace licit::tool

#endif
