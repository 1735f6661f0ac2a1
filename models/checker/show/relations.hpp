/// How the steps of a picture are related, and the order in which they are told.
#ifndef LICIT_CHECKER_SHOW_RELATIONS_HPP
#define LICIT_CHECKER_SHOW_RELATIONS_HPP

#include <vector>

#include <licit/checker/execution.hpp>

#include "core/graph.hpp"

namespace licit::checker::detail {

/// Gives the execution, whose steps are the events `shown` in that order, its edges, its cycle, its sources and its
/// order. `sources`: the write that each reads from, or `initial`. `pending`: the event that was not in the graph yet.
void relate(const graph& g, event_id pending, const std::vector<event_id>& shown, const std::vector<event_id>& sources,
            const std::vector<event_id>& offending, execution& made);

/// The shortest way round in po, rf, mo and fr, by the fewest edges between threads, as edges; empty if there is none.
std::vector<std::size_t> shortest_cycle(const execution& e);

}  // namespace licit::checker::detail

#endif
