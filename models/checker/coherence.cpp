#include <algorithm>

#include <licit/checker/coherence.hpp>

namespace licit::checker {

namespace {

void inherit(event& e, const event* previous) {
  if (previous != nullptr) {
    e.happened = previous->happened;
    e.prefix = previous->prefix;
    e.acquirable = previous->acquirable;
    e.fenced = previous->fenced;
  } else {
    e.happened = e.prefix = clock{};
    e.acquirable = e.fenced = knowledge{};
  }
  e.happened.set(e.thread(), e.index + 1U);
  e.prefix.set(e.thread(), e.index + 1U);
}

/// The last atomic write by the same thread to the same location.
const event* earlier_write(const graph& g, const event& write) {
  for (event_id id = g.last_access(write.op.location); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (e.thread() == write.thread() && e.index < write.index && e.writes() && e.op.what != action::construct &&
        !e.op.plain) {
      return &e;
    }
  }
  return nullptr;
}

}  // namespace

event next_event(const graph& g, const operation& op) {
  event e;
  e.op = op;
  e.strength = op.success;
  e.index = static_cast<std::uint16_t>(g.thread(op.thread).size());
  inherit(e, g.previous(e));
  return e;
}

void bind(const graph& g, event& read, event_id source, word value, bool spurious) {
  inherit(read, g.previous(read));
  read.source = source;
  read.value = value;
  read.spurious = spurious;
  if (read.op.what == action::modify) {
    const bool success = !spurious && read.op.succeeds(value);
    read.half = success ? part::read : part::whole;
    read.strength = success ? read.op.success : read.op.failure;
  }
  if (source == initial) return;
  const event& write = g[source];
  read.prefix.join(write.prefix);
  if (!read.op.plain) read.acquirable.join(write.released);
  if (acquires(read.strength)) read.happened.join(write.released.any);
}

void bind(const graph& g, event& write, word value, release_sequences rule) {
  write.value = value;
  if (write.op.what == action::construct || write.op.plain) return;  // not atomic: it releases nothing
  write.own = write.fenced;
  if (releases(write.strength)) write.own.any = write.happened;
  if (rule == release_sequences::cxx11) {
    if (const event* head = earlier_write(g, write)) write.own.join(head->own);
  }
  write.released = write.own;
  if (write.half == part::write) {
    const event_id source = g.previous(write)->source;
    if (source != initial) write.released.join(g[source].released);
  }
}

void bind(event& fence) {
  if (fence.is_light()) {
    fence.happened.join(fence.acquirable.of_heavy);
    fence.fenced.of_light = fence.happened;
    return;
  }
  if (acquires(fence.strength)) fence.happened.join(fence.acquirable.any);
  if (fence.op.weight == asymmetry::heavy) {
    fence.happened.join(fence.acquirable.of_light);
    fence.fenced.of_heavy = fence.happened;
  }
  if (releases(fence.strength)) fence.fenced.any = fence.happened;
}

unsigned earliest(const graph& g, location_id l, const clock& happened, event_id self) {
  unsigned bound = 0;
  for (event_id id = g.last_access(l); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (id != self && e.within(happened)) bound = std::max(bound, g.rank(e));
  }
  return bound;
}

bool coherent(const graph& g, event_id read) {
  const event& r = g[read];
  return g.rank(r.source) >= earliest(g, r.op.location, r.happened, read);
}

bool vacant(const graph& g, location_id l, event_id predecessor) {
  const event_id next = g.write_after(l, predecessor);
  return next == initial || g[next].half != part::write;
}

}  // namespace licit::checker
