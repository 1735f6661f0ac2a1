/// An execution as a drawing: a column a thread, program order downwards.
#ifndef LICIT_CHECKER_DRAWING_HPP
#define LICIT_CHECKER_DRAWING_HPP

#include <string>

#include <licit/checker/execution.hpp>

namespace licit::checker {

/// For Graphviz. What offends is red: the events, and the race or the cycle. rf is green and mo violet where they go
/// from thread to thread; fr is there in a cycle only. An edge with `hb` is one that happens-before goes along.
std::string dot(const execution& e);

/// As the named format of Graphviz ("svg", "png", …) has it. Throws std::runtime_error without Graphviz's `dot`, or
/// when that fails.
std::string drawn(const execution& e, const std::string& format);

inline std::string svg(const execution& e) { return drawn(e, "svg"); }

/// What `dot -T<format>` makes of a graph. Throws std::runtime_error if it is not installed or fails.
std::string run_dot(const std::string& graph, const std::string& format);

}  // namespace licit::checker

#endif
