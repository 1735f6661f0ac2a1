/// `licit litmus`: herd's litmus tests under the exhaustive checker.
#ifndef LICIT_MODELS_TOOL_LITMUS_HPP
#define LICIT_MODELS_TOOL_LITMUS_HPP

#include <string>
#include <vector>

#include "checker/litmus/explore.hpp"

namespace licit::tool {

struct litmus_options {
  std::vector<std::string> paths;  ///< files, and folders whose *.litmus files are meant, those further down too
  std::string json;                ///< file for the results, or empty
  litmus::options search;
};

/// Runs and prints; the exit status: 0 as expected, 1 a verdict that is not, 2 a file that cannot be read or is
/// malformed (the others run all the same), 3 nothing wrong so far, but a limit or the bound of loops left something
/// unexplored. A file's `expect:` comment says what is expected; where there is none, that `~exists` and `forall` hold,
/// and that there is no race. Throws std::runtime_error when the JSON
/// cannot be written.
int litmus(const litmus_options& options);

}  // namespace licit::tool

#endif
