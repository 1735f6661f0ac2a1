#include "core/coherence.hpp"

#include <algorithm>
#include <bit>

#include "core/queue.hpp"

namespace licit::checker::detail {

namespace {

void inherit(event& e, const event* previous) {
  if (previous != nullptr) {
    e.happened = previous->happened;
    e.prefix = previous->prefix;
    e.round = previous->round;
    e.acquirable = previous->acquirable;
    e.fenced = previous->fenced;
  } else {
    e.happened = e.prefix = clock{};
    e.round = 0;
    e.acquirable = e.fenced = knowledge{};
  }
  e.happened.set(e.thread(), e.index + 1U);
  e.prefix.set(e.thread(), e.index + 1U);
}

std::uint8_t woken_by(const operation& notify, word candidates, unsigned choice) {
  if (notify.how == change::wake_all || candidates == 0) return static_cast<std::uint8_t>(candidates);
  for (; choice != 0; --choice) candidates &= candidates - 1;
  return static_cast<std::uint8_t>(candidates & (~candidates + 1));
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

/// Adds what an acquire that reads the write learns by C++11's release sequences.
void join_released_by_cxx11(const graph& g, const event& write, knowledge& all) {
  for (const event* w = &write; w != nullptr; w = earlier_write(g, *w)) all.join(w->own);
  if (write.half != part::write) return;
  const event_id source = g.previous(write)->source;
  if (source != initial) join_released_by_cxx11(g, g[source], all);
}

}  // namespace

event& append_next(graph& g, const operation& op) {
  event& e = g[g.append(op)];
  inherit(e, g.previous(e));
  return e;
}

event next_read(const graph& g, const operation& op) {
  event e;
  e.op = op;
  e.index = static_cast<std::uint16_t>(g.thread(op.thread).size());
  if (const event* previous = g.previous(e)) e.happened = previous->happened;
  e.happened.set(op.thread, e.index + 1U);
  return e;
}

unsigned choices(const graph& g, const event& read, word value) {
  if (!read.op.weak && !read.op.wakes()) return 1;
  if (read.op.how == change::wake_one) return std::max(1, std::popcount(wakeable(g, read, value)));
  return read.op.how == change::compare_exchange && read.op.succeeds(value) ? 2 : 1;
}

void bind(const graph& g, event& read, event_id source, word value, unsigned choice) {
  inherit(read, g.previous(read));
  read.source = source;
  read.value = value;
  read.stuck = read.op.until != nullptr && !read.op.until(value, read.op.expected);
  read.choice = static_cast<std::uint8_t>(choice);
  read.strength = read.op.success;
  if (read.op.wakes()) read.woken = woken_by(read.op, wakeable(g, read, value), choice);
  if (read.op.what == action::modify) {
    const bool success = !read.stuck && !read.spurious() && read.op.succeeds(value);  // who waits writes nothing
    read.half = success ? part::read : part::whole;
    read.strength = success ? read.op.success : read.op.failure;
  }
  if (source == initial) return;
  const event& write = g[source];
  read.come_after(write);
  if (read.of_queue()) return;  // the queue's lock orders the compare (may_sleep), and nothing after it
  if (!read.op.plain) read.acquirable.join(write.released);
  if (acquires(read.strength)) read.happened.join(write.released.any);
}

void bind(const graph& g, event& write, word value, release_sequences rule) {
  write.value = value;
  if (write.op.what == action::construct || write.op.plain) return;  // not atomic: it releases nothing
  write.own = write.fenced;
  if (releases(write.strength)) write.own.any = write.happened;
  const bool ends = rule == release_sequences::cxx20;
  if (!ends || !releases(write.strength)) {  // a releasing one has all behind it that an earlier one has
    if (const event* head = earlier_write(g, write)) {
      if (ends) {
        write.teaches_more = head->teaches_more || !head->own.within(write.own);
      } else {
        write.own.join(head->own);
      }
    }
  }
  write.released = write.own;
  if (write.half == part::write) {
    const event_id source = g.previous(write)->source;
    if (source == initial) return;
    write.released.join(g[source].released);
    write.teaches_more = write.teaches_more || g[source].teaches_more;
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

bool learns_more_by_cxx11(const graph& g, const event& read) {
  if (read.source == initial || !g[read.source].teaches_more) return false;
  if (read.op.plain || read.op.how == change::sleep) return false;
  knowledge known = read.acquirable;
  if (acquires(read.strength)) known.any = clock{};  // what only a fence may learn is not yet known to it
  known.join({.any = read.happened, .of_light = read.happened, .of_heavy = read.happened});
  knowledge taught;
  join_released_by_cxx11(g, g[read.source], taught);
  return !taught.within(known);
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

}  // namespace licit::checker::detail
