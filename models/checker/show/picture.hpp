/// The picture of an execution graph: what offends in it, and what that has behind it.
#ifndef LICIT_CHECKER_SHOW_PICTURE_HPP
#define LICIT_CHECKER_SHOW_PICTURE_HPP

#include <vector>

#include <licit/checker/execution.hpp>

#include "core/exploration.hpp"
#include "core/graph.hpp"
#include "core/memory.hpp"

namespace licit::checker::detail {

/// Whose fault a violation is: events that are there, and the operation that was to come next, if it is that one's too.
struct offence {
  std::vector<event_id> events = {};
  const operation* next = nullptr;
};

/// A plain access, or a free, of a program as it is, which has none of these in its graph.
struct plain_access {
  unsigned thread;
  unsigned before;     ///< so many events of its thread come before it; not 0
  std::string action;  ///< "read", "write" or "free"
  std::string site;
  std::string location;
  std::string remark = {};
  bool races = false;  ///< with the operation that was to come next
};
/// What the next picture shows, too, as offending; each with what it has behind it.
void show_also(plain_access a);

/// The offending events and their (po ∪ rf) prefix; everything if none offends. Of a thread that sleeps the value that
/// it compared offends, too, and so does a newer one.
execution picture(const exploration& s, const memory& m, unsigned threads, const offence& by);

/// Gives the execution, whose steps are the events `shown` in that order, its edges, its cycle, its sources and its
/// order. `sources`: the write that each reads from, or `initial`. `pending`: the event that was not in the graph yet.
void relate(const graph& g, event_id pending, const std::vector<event_id>& shown, const std::vector<event_id>& sources,
            const std::vector<event_id>& offending, execution& made);

/// The shortest way round in po, rf, mo and fr, by the fewest edges between threads, as edges; empty if there is none.
std::vector<std::size_t> shortest_cycle(const execution& e);

}  // namespace licit::checker::detail

#endif
