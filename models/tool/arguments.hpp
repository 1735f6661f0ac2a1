/// The commands of `licit` and their options.
#ifndef LICIT_MODELS_TOOL_ARGUMENTS_HPP
#define LICIT_MODELS_TOOL_ARGUMENTS_HPP

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

namespace licit::tool {

struct command {
  CLI::App* parsed;          ///< whether the command line names it
  std::function<int()> run;  ///< returns the exit status
};

/// Adds them all.
std::vector<command> add_commands(CLI::App& app);

}  // namespace licit::tool

#endif
