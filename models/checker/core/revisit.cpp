/// The half of the search that goes backwards: writes that revisit reads.
#include "core/search.hpp"

namespace licit::checker::detail {

namespace {

/// Whether `e` was there when the event `than` was added, or will stay when `than` is deleted.
bool precedes(const graph& g, event_id e, event_id than, const clock& prefix) {
  return e <= than || g[e].within(prefix);
}

bool read_maximally(const graph& g, event_id read, event_id write) {
  const event& r = g[read];
  const clock& prefix = g[write].prefix;
  if (r.choice != 0) return false;
  if (r.source != initial && !precedes(g, r.source, read, prefix)) return false;
  for (event_id w = g.write_after(r.op.location, r.source); w != initial; w = g[w].after) {
    if (precedes(g, w, read, prefix)) return false;
  }
  return true;
}

bool written_maximally(const graph& g, event_id e, event_id write) {
  const clock& prefix = g[write].prefix;
  const location_id l = g[e].op.location;
  for (event_id w = g[e].after; w != initial; w = g[w].after) {
    if (precedes(g, w, e, prefix)) return false;
  }
  for (event_id id = g.last_access(l); id != initial; id = g[id].chained) {
    if (g[id].reads() && g[id].source == e && precedes(g, id, e, prefix)) return false;
  }
  return true;
}

}  // namespace

bool added_maximally(const graph& g, event_id e, event_id write) {
  if (g[e].reads()) return read_maximally(g, e, write);
  if (g[e].writes()) return written_maximally(g, e, write);
  return true;
}

/// Whether `write`, inserted last, may revisit `read`.
bool search::revisitable(const graph& g, event_id read, event_id write) {
  const clock& prefix = g[write].prefix;
  if (g[read].within(prefix) || !added_maximally(g, read, write)) return false;
  for (auto id = static_cast<event_id>(read + 1); id < write; ++id) {
    if (!g[id].within(prefix) && !added_maximally(g, id, write)) return false;
  }
  return true;
}

/// Notes, for each read that the write (appended, not placed) may revisit, an alternative like `how`.
void search::offer_revisits(event_id write, alternative how) {
  const graph& g = current();
  for (event_id id = g[write].chained; id != initial; id = g[id].chained) {
    if (!g[id].reads() || !revisitable(g, id, write)) continue;
    how.revisited = id;
    offer(how);
  }
}

/// A graph of its own without what the revisit deletes, and an alternative in it for each place of the write.
void search::restrict(const alternative& a) {
  if (a.op.what == action::modify && !a.half) append_read(a.op, a.source, a.choice);
  const bool update = a.op.what == action::modify;
  const event_id w = append_write(a.op, update);
  const graph& from = current();
  const event write = from[w];
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the write of an update has its read before it
  const event_id source = update ? from.previous(write)->source : initial;

  top().events.keep_order();
  top().is_lent = true;
  frame& f = push();
  f.shared = a.revisited;
  graph& g = f.events;
  const event_id r = g.restrict(from, a.revisited, write.prefix, names_);
  const auto place = [&](event_id predecessor) {
    if (!vacant(g, a.op.location, predecessor)) return;
    alternative placed{
        .how = way::placed, .half = update, .size = g.size(), .source = predecessor, .revisited = r, .op = a.op};
    for (unsigned choice = choices(g, g[r], write.value); choice-- != 0;) {
      placed.choice = static_cast<std::uint8_t>(choice);
      offer(placed);
    }
  };
  if (update) {
    place(source == initial ? initial : names_[source]);
    return;
  }
  const unsigned bound = earliest(g, a.op.location, write.happened);
  const operation& reader = g[r].op;
  const bool awaited = reader.until == nullptr || reader.until(write.value, reader.expected);
  for (event_id predecessor = g.last_write(a.op.location);;) {
    place(predecessor);
    if (!awaited) break;  // its thread goes on only if it is revisited again, and only the newest write can be
    if (predecessor == initial || g.rank(predecessor) <= bound) break;
    predecessor = g[predecessor].before;
  }
}

bool search::apply_placed(const alternative& a) {
  graph& g = top().events;
  const event_id w = append_write(a.op, a.half);
  g.place(w, a.source);
  event& r = g[a.revisited];
  bind(g, r, w, g[w].value, a.choice);
  equal_.join(g, r);
  compare_rules(r);
  const bool ordered = equal_.in_order(g, g[w]) && equal_.in_order(g, r);
  if (ordered && readable(a.revisited) && (r.half != part::read || finish_update(a.revisited))) return true;
  reject();
  return false;
}

/// Adds the write of a read-modify-write whose read was revisited: at once, before any thread goes on.
bool search::finish_update(event_id read) {
  graph& g = top().events;
  const operation op = g[read].op;
  const event_id source = g[read].source;
  const event_id size = g.size();
  const event_id w = append_write(op, true);
  offer_revisits(w, {.how = way::revisit, .half = true, .size = size, .op = op});
  if (!vacant(g, op.location, source)) return false;
  g.place(w, source);
  return sequentially_consistent(w);
}

}  // namespace licit::checker::detail
