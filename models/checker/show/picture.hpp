/// The picture of an execution graph: what offends in it, and what that has behind it.
#ifndef LICIT_CHECKER_SHOW_PICTURE_HPP
#define LICIT_CHECKER_SHOW_PICTURE_HPP

#include <vector>

#include <licit/checker/execution.hpp>

#include "core/exploration.hpp"
#include "core/memory.hpp"

namespace licit::checker::detail {

/// Whose fault a violation is: events that are there, and the operation that was to come next, if it is that one's too.
struct offence {
  std::vector<event_id> events = {};
  const operation* next = nullptr;
};

/// The offending events and their (po ∪ rf) prefix; everything if none offends.
execution picture(const exploration& s, const memory& m, unsigned threads, const offence& by);

}  // namespace licit::checker::detail

#endif
