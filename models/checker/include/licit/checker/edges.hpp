/// Happens-before that comes from outside an execution, as by a flag that its client does not have.
#ifndef LICIT_CHECKER_EDGES_HPP
#define LICIT_CHECKER_EDGES_HPP

namespace licit::checker {

/// A place between two events of a thread: `index` of its events come before. `Model::happened()` counts them.
struct place {
  unsigned thread;
  unsigned index;
};

/// In a client's `finish`, over `checker::model`: whether this execution stays consistent if, in addition, what comes
/// before `from` happens before what comes after `to`, a place of another thread. Costs a copy of the graph, and at
/// most the time of one check for sequential consistency and of comparing all pairs of accesses.
bool could_happen_before(place from, place to);

}  // namespace licit::checker

#endif
