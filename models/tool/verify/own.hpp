/// A client of the user's: the line of `licit verify --client`.
#ifndef LICIT_MODELS_TOOL_VERIFY_OWN_HPP
#define LICIT_MODELS_TOOL_VERIFY_OWN_HPP

#include <functional>
#include <string>

#include "report.hpp"
#include "suites/structure.hpp"

namespace licit::tool {

/// The line as a program of the structure. Throws suites::line_error for text that is no line, or has no call.
suites::program own_program(const suites::structure& s, const std::string& text);

/// Throws std::runtime_error where the program of the line could not even be set up, which says nothing about the
/// structure. Adds a note to any other violation of code that is not broken on purpose.
void judge_own(result& r);

/// Runs the command in a process of its own: a line can ask for what its structure's client does not survive. Returns
/// the command's exit status. Throws std::runtime_error if the process dies, or with the command's message.
int run_apart(const std::string& line, const std::function<int()>& command);

}  // namespace licit::tool

#endif
