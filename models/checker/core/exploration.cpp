#include "core/exploration.hpp"

#include "core/queue.hpp"

namespace licit::checker::detail {

word exploration::value_of(location_id l, event_id write) const {
  if (write != initial) return current()[write].value;
  return initial_value(l);
}

event_id exploration::append_read(const operation& op, event_id source, unsigned choice) {
  graph& g = *graph_;
  const event_id id = g.append(op);
  event& r = g[id];
  bind(g, r, source, value_of(op.location, source), choice);
  equal_.join(g, r);
  compare_rules(r);
  return id;
}

/// The write is not placed yet. `half`: of a read-modify-write whose read is the thread's last event.
event_id exploration::append_write(const operation& op, bool half) {
  graph& g = *graph_;
  event& w = append_next(g, op);
  w.half = half ? part::write : part::whole;
  if (half) {
    const event& read = *g.previous(w);
    bind(g, w, applied(op, read.value, read.woken), rule_);
  } else {
    bind(g, w, op.operand, rule_);
  }
  equal_.join(g, w);
  return static_cast<event_id>(g.size() - 1);
}

/// Whether psc is acyclic, given that it was before `added`, a read or a placed write, came last.
bool exploration::sequentially_consistent(event_id added) {
  const graph& g = current();
  const event& e = g[added];
  const event_id write = e.reads() ? e.source : added;
  if (g.last_write(e.op.location) == write) return true;
  return !psc::may_close_cycle(g, added) || psc_.acyclic(g);
}

/// Whether the read, in the graph, may read what it reads.
bool exploration::readable(event_id read) {
  const graph& g = current();
  return coherent(g, read) && (g[read].op.how != change::sleep || may_sleep(g, read)) && sequentially_consistent(read);
}

const event& exploration::add(const operation& op, word value) {
  graph& g = *graph_;
  event& e = append_next(g, op);
  e.value = value;
  if (e.is_fence()) bind(e);
  equal_.join(g, e);
  if (op.what == action::construct) g.place(static_cast<event_id>(g.size() - 1), initial);
  return e;
}

void exploration::add_awake(const operation& op, event_id notify) {
  graph& g = *graph_;
  event& e = append_next(g, op);
  e.source = notify;
  e.come_after(g[notify]);
  equal_.join(g, e);
}

void exploration::add_after(const operation& op, event_id earlier) {
  graph& g = *graph_;
  event& e = append_next(g, op);
  e.source = earlier;
  e.come_after(g[earlier]);
  e.happened.join(g[earlier].happened);
  equal_.join(g, e);
}

}  // namespace licit::checker::detail
