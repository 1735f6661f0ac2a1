/// Races, looked for in the graph of an execution that goes no further.
#ifndef LICIT_MODELS_LITMUS_RACES_HPP
#define LICIT_MODELS_LITMUS_RACES_HPP

#include <optional>

#include "core/graph.hpp"

namespace licit::litmus {

struct race {
  checker::detail::location_id location;
  unsigned first;  ///< the threads
  unsigned second;
};

/// Two accesses of a location by different threads, one of them a write, one not atomic, that happens-before does not
/// order. The first such pair, if there is any.
std::optional<race> find_race(const checker::detail::graph& g);

}  // namespace licit::litmus

#endif
