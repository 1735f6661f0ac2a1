/// What an event has behind it, and the axioms that its vector clock decides: coherence and atomicity.
#ifndef LICIT_CHECKER_CORE_COHERENCE_HPP
#define LICIT_CHECKER_CORE_COHERENCE_HPP

#include <licit/checker/options.hpp>

#include "core/graph.hpp"

namespace licit::checker::detail {

/// Appends the next event of the operation's thread, with the clocks of its predecessor in program order.
event& append_next(graph& g, const operation& op);

/// The event that a read would be, not appended: what happens before it, and no other clock.
event next_read(const graph& g, const operation& op);

/// How many things a read may do with a value: a weak operation may also fail, a notify chooses whom to wake. The first
/// is the canonical one.
unsigned choices(const graph& g, const event& read, word value);

/// Gives a read its source, value, strength and clocks. It must be the last event of its thread.
void bind(const graph& g, event& read, event_id source, word value, unsigned choice);

/// Gives a write, as yet not appended, its value and its clocks.
void bind(const graph& g, event& write, word value, release_sequences rule);

/// Gives a fence its clocks.
void bind(event& fence);

/// Whether the read, or an acquire fence after it, would learn more by C++11's release sequences than by C++20's.
bool learns_more_by_cxx11(const graph& g, const event& read);

/// The earliest place in modification order that an access of `l` with `happened` behind it may read from, `self` not
/// looked at; a write must come later than that.
unsigned earliest(const graph& g, location_id l, const clock& happened, event_id self = initial);

/// Coherence of a read that is in the graph: nothing that happens before it is newer than what it reads.
bool coherent(const graph& g, event_id read);

/// Atomicity: whether a write may come right after `predecessor`, that is, no read-modify-write took that place.
bool vacant(const graph& g, location_id l, event_id predecessor);

}  // namespace licit::checker::detail

#endif
