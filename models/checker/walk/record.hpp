/// Makes records of executions.
#ifndef LICIT_CHECKER_WALK_RECORD_HPP
#define LICIT_CHECKER_WALK_RECORD_HPP

#include <licit/checker/record.hpp>

#include "core/graph.hpp"
#include "core/memory.hpp"

namespace licit::checker::detail {

/// What makes a step the same step again: everything but the choice.
step identity(const operation& op, unsigned index, const memory& m);

/// The graph's record.
record record_of(const graph& g, const memory& m, unsigned ended_in);

}  // namespace licit::checker::detail

#endif
