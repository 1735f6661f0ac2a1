// The tool of one structure has one command.
#include "arguments.hpp"

namespace licit::tool {

std::vector<command> add_commands(CLI::App& app) { return {add_verify(app)}; }

}  // namespace licit::tool
