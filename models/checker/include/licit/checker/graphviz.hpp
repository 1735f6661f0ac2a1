/// Graphviz's `dot`, run as a program.
#ifndef LICIT_CHECKER_GRAPHVIZ_HPP
#define LICIT_CHECKER_GRAPHVIZ_HPP

#include <string>

namespace licit::checker {

/// What `dot -T<format>` makes of a graph. Throws std::runtime_error if it is not installed or fails.
std::string run_dot(const std::string& graph, const std::string& format);

}  // namespace licit::checker

#endif
