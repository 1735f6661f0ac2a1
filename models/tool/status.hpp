/// The exit statuses, the same for every command.
#ifndef LICIT_MODELS_TOOL_STATUS_HPP
#define LICIT_MODELS_TOOL_STATUS_HPP

#include <string_view>

namespace licit::tool {

enum exit_status : int {
  as_expected = 0,
  violated = 1,      ///< something is not as expected: a violation, or a mutant that was not caught
  bad_usage = 2,     ///< a wrong option, or a file that cannot be read, parsed or written
  out_of_limit = 3,  ///< nothing is wrong so far, but a search ended at its limit
};

/// For the end of a command's help.
inline constexpr std::string_view statuses =
    "Exit status: 0 everything is as expected; 1 something is not; 2 a wrong option, or a file\n"
    "that cannot be read or written; 3 a search stopped at its limit, and nothing was wrong before.";

}  // namespace licit::tool

#endif
