#include <cassert>

#include <licit/checker/search.hpp>

namespace licit::checker {

void search::begin() {
  depth_ = 0;
  rejected_ = 0;
  push();
}

search::frame& search::push() {
  if (depth_ == frames_.size()) frames_.push_back(std::make_unique<frame>());
  ++depth_;
  top().events.clear();
  top().untried.clear();
  return top();
}

word search::value_of(location_id l, event_id write) const {
  if (write != initial) return current()[write].value;
  return l < initial_.size() ? initial_[l] : 0;
}

event_id search::append_read(const operation& op, event_id source, bool spurious) {
  graph& g = top().events;
  event r = next_event(g, op);
  bind(g, r, source, value_of(op.location, source), spurious);
  return g.append(r);
}

/// The write is not placed yet. `half`: of a read-modify-write whose read is the thread's last event.
event_id search::append_write(const operation& op, bool half) {
  graph& g = top().events;
  event w = next_event(g, op);
  w.half = half ? part::write : part::whole;
  bind(g, w, half ? op.applied_to(g.previous(w)->value) : op.operand, rule_);
  return g.append(w);
}

/// Whether psc is acyclic, given that it was before `added`, a read or a placed write, came last.
bool search::sequentially_consistent(event_id added) {
  const graph& g = current();
  const event& e = g[added];
  const event_id write = e.reads() ? e.source : added;
  if (g.last_write(e.op.location) == write) return true;
  return psc_.acyclic(g);
}

const event& search::add(const operation& op, word value) {
  graph& g = top().events;
  event e = next_event(g, op);
  e.value = value;
  if (e.is_fence()) bind(e);
  const event_id id = g.append(e);
  if (op.what == action::construct) g.place(id, initial);
  return g[id];
}

outcome search::access(const operation& op, const condition& awaited) {
  return op.what == action::store ? write(op) : read(op, awaited);
}

/// Adds the read, and the write of a read-modify-write, if the result is consistent; offers the write's revisits even
/// when the write itself has no place. On false the graph is as it was.
bool search::try_read(const operation& op, event_id source, bool spurious) {
  graph& g = top().events;
  const event_id size = g.size();
  const event_id r = append_read(op, source, spurious);
  if (coherent(g, r) && sequentially_consistent(r)) {
    if (g[r].half != part::read) return true;
    const event_id w = append_write(op, true);
    offer_revisits(w, {.how = way::revisit, .size = size, .source = source, .op = op});
    if (vacant(g, op.location, source)) {
      g.place(w, source);
      if (sequentially_consistent(w)) return true;
    }
  }
  g.truncate(size);
  return false;
}

outcome search::read(const operation& op, const condition& awaited) {
  graph& g = top().events;
  const event_id size = g.size();
  const event_id newest = g.last_write(op.location);
  const event probe = next_event(g, op);
  const unsigned bound = earliest(g, op.location, probe.happened);

  const auto may_fail = [&](event_id source) {
    return op.weak && op.what == action::modify && op.succeeds(value_of(op.location, source));
  };
  for (event_id source = newest; g.rank(source) >= bound;) {
    // A thread that awaits something else goes on only if this read is revisited, and only the newest write can be.
    const bool stuck = awaited.holds != nullptr && !awaited.holds(awaited.context, value_of(op.location, source));
    if (source != newest && !stuck && try_read(op, source, false)) {
      g.truncate(size);
      top().untried.push_back({.how = way::read, .size = size, .source = source, .op = op});
    }
    if (may_fail(source) && try_read(op, source, true)) {
      g.truncate(size);
      top().untried.push_back({.how = way::read, .spurious = true, .size = size, .source = source, .op = op});
    }
    if (source == initial) break;
    source = g[source].before;
  }
  [[maybe_unused]] const bool taken = try_read(op, newest, false);
  assert(taken);  // the newest write can always be read
  const event& r = g[size];
  return {r.value, r.half == part::read};
}

outcome search::write(const operation& op) {
  graph& g = top().events;
  const event_id size = g.size();
  const event_id w = append_write(op, false);
  offer_revisits(w, {.how = way::revisit, .size = size, .op = op});
  const unsigned bound = earliest(g, op.location, g[w].happened, w);
  const event_id newest = g.last_write(op.location);
  for (event_id predecessor = newest; predecessor != initial && g.rank(predecessor) > bound;) {
    predecessor = g[predecessor].before;
    if (!vacant(g, op.location, predecessor)) continue;
    g.place(w, predecessor);
    if (sequentially_consistent(w)) {
      top().untried.push_back({.how = way::write, .size = size, .source = predecessor, .op = op});
    } else {
      ++rejected_;
    }
    g.displace(w);
  }
  g.place(w, newest);
  return {op.operand, true};
}

bool search::next() {
  while (depth_ != 0) {
    frame& f = top();
    if (f.untried.empty()) {
      --depth_;
      continue;
    }
    const alternative a = f.untried.back();
    f.untried.pop_back();
    f.events.truncate(a.size);
    if (apply(a)) return true;
  }
  return false;
}

/// Makes the alternative's graph. False if there is none to continue with as yet.
bool search::apply(const alternative& a) {
  graph& g = top().events;
  switch (a.how) {
    case way::read: {
      const event_id r = append_read(a.op, a.source, a.spurious);
      if (g[r].half == part::read) g.place(append_write(a.op, true), a.source);
      return true;
    }
    case way::write: g.place(append_write(a.op, false), a.source); return true;
    case way::revisit: restrict(a); return false;
    case way::placed: return apply_placed(a);
  }
  return false;
}

}  // namespace licit::checker
