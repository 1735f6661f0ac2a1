/// What an execution looks like as text.
#ifndef LICIT_MODELS_CHECKER_TRACE_HPP
#define LICIT_MODELS_CHECKER_TRACE_HPP

#include <string>
#include <string_view>

#include "checker/graph.hpp"
#include "checker/memory.hpp"

namespace licit::checker {

std::string_view name(action a);
std::string thread_name(unsigned thread);
std::string location_name(const location& l);

/// An operation in words, by its site where it has one.
std::string describe(const operation& op, const memory& m);

/// A line an event, each after what it has behind it in program order and reads-from.
std::string trace(const graph& g, const memory& m);

}  // namespace licit::checker

#endif
