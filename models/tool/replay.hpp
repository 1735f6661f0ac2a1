/// `licit replay`: a violation that was written to a file, run again.
#ifndef LICIT_MODELS_TOOL_REPLAY_HPP
#define LICIT_MODELS_TOOL_REPLAY_HPP

#include <string>

namespace licit::tool {

/// Runs and prints; the exit status: 1 it is violated again, 0 it is not, 2 the program cannot do what was recorded.
/// Throws std::runtime_error for a file that cannot be read or is spoilt, or is of an unknown program or mutant.
int replay(const std::string& file);

}  // namespace licit::tool

#endif
