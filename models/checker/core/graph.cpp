#include "core/graph.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace licit::checker::detail {

namespace {

/// Whether the event is one of its location's accesses: those that conflict with, or are ordered with, others.
bool accesses(const event& e) {
  switch (e.op.what) {
    case action::fence:
    case action::allocate:
    case action::release:
    case action::destroy:
    case action::spawn:
    case action::begin:
    case action::finish:
    case action::join:
    case action::ghost_commit: return false;
    default: return true;
  }
}

/// Whether it is a fence that psc orders.
bool is_node(const event& e) { return e.is_fence() && (e.sequential() || e.is_light()); }

}  // namespace

graph& graph::operator=(const graph& other) {
  if (this == &other) return *this;
  used_ = 0;
  events_ = other.events_;
  for (event*& e : events_) make_own(e, *e);
  threads_ = other.threads_;
  locations_ = other.locations_;
  fences_ = other.fences_;
  spawns_ = other.spawns_;
  order_ = other.order_;
  return *this;
}

/// Puts an event of its own into the place, to be overwritten; or a copy of another one.
event& graph::make_own(event*& place) {
  if (used_ == own_.size()) own_.push_back(std::make_unique<event>());
  place = own_[used_++].get();
  return *place;
}

event& graph::make_own(event*& place, const event& as) {
  std::memmove(&make_own(place), &as, sizeof as);  // an assignment would be a loop, of memcpy's
  return *place;
}

event_id graph::append(const event& e) {
  const event_id id = size();
  assert(e.index == threads_[e.thread()].size());
  event& added = make_own(events_.emplace_back(), e);
  added.before = added.after = initial;
  link(id);
  return id;
}

event_id graph::append(const operation& op) {
  const event_id id = size();
  make_own(events_.emplace_back()).begin(op, threads_[op.thread].size());
  link(id);
  return id;
}

/// Makes it the last of its thread and of its location.
void graph::link(event_id added) {
  event& e = *events_[added];
  threads_[e.thread()].push_back(added);
  if (is_node(e)) fences_.push_back(added);
  if (!accesses(e)) {
    if (e.op.what == action::spawn) spawns_[e.op.operand] = added;
    return;
  }
  location& l = make(e.op.location);
  e.chained = l.last_access;
  l.last_access = added;
}

void graph::renumber(event_id from, unsigned rank) {
  for (event_id w = from; w != initial; w = events_[w]->after) events_[w]->rank = static_cast<std::uint16_t>(rank++);
}

void graph::place(event_id write, event_id predecessor) {
  event& w = *events_[write];
  location& l = make(w.op.location);
  w.before = predecessor;
  w.after = write_after(w.op.location, predecessor);
  (predecessor == initial ? l.first : events_[predecessor]->after) = write;
  (w.after == initial ? l.last : events_[w.after]->before) = write;
  renumber(write, rank(predecessor) + 1);
}

void graph::displace(event_id write) {
  event& w = *events_[write];
  location& l = make(w.op.location);
  if (w.before == initial && l.first != write) return;  // it has no place
  (w.before == initial ? l.first : events_[w.before]->after) = w.after;
  (w.after == initial ? l.last : events_[w.after]->before) = w.before;
  renumber(w.after, rank(w.before) + 1);
  w.before = w.after = initial;
}

void graph::truncate(event_id size) {
  while (events_.size() > size) {
    const event& e = *events_.back();
    if (accesses(e)) {
      if (e.writes()) displace(static_cast<event_id>(events_.size() - 1));
      locations_[e.op.location].last_access = e.chained;
    } else if (e.op.what == action::spawn) {
      spawns_[e.op.operand] = initial;
    }
    if (is_node(e)) fences_.pop_back();
    threads_[e.thread()].pop_back();
    events_.pop_back();
    --used_;  // no event that is shared is taken out
  }
}

/// Becomes the first events of `from`, which are not yet in modification order.
void graph::take_first(const graph& from, event_id size) {
  used_ = 0;
  events_.assign(from.events_.begin(), from.events_.begin() + size);
  for (unsigned t = 0; t != max_threads; ++t) {
    const auto& all = from.threads_[t];
    threads_[t].assign(all.begin(), std::ranges::lower_bound(all, size));
  }
  fences_.assign(from.fences_.begin(), std::ranges::lower_bound(from.fences_, size));
  for (unsigned t = 0; t != max_threads; ++t) spawns_[t] = from.spawns_[t] < size ? from.spawns_[t] : initial;
  locations_.assign(from.locations_.size(), {});
  for (std::size_t l = 0; l != locations_.size(); ++l) {
    event_id id = from.locations_[l].last_access;
    while (id != initial && id >= size) id = from[id].chained;
    locations_[l].last_access = id;
  }
}

void graph::keep_order() {
  order_.clear();
  for (const location& l : locations_) {
    for (event_id w = l.first; w != initial; w = events_[w]->after) order_.push_back(w);
  }
}

void graph::restore_order() {
  auto next = order_.begin();
  for (const location& l : locations_) {
    event_id before = initial;
    while (before != l.last) {
      event& w = *events_[*next];
      w.before = before;
      w.rank = static_cast<std::uint16_t>(rank(before) + 1);
      if (before != initial) events_[before]->after = *next;
      before = *next++;
      w.after = initial;
    }
  }
}

event_id graph::restrict(const graph& from, event_id read, const clock& prefix, std::vector<event_id>& names) {
  take_first(from, static_cast<event_id>(read + 1));
  names.assign(from.size(), initial);
  std::iota(names.begin(), names.begin() + size(), event_id{0});
  const auto last = static_cast<event_id>(from.size() - 1);
  for (event_id id = size(); id != last; ++id) {
    const event& e = from[id];
    if (e.within(prefix)) names[id] = append(e);
  }
  for (event_id id = 0; id != size(); ++id) {  // a read may read from a later insertion: only now all have their names
    const event_id source = events_[id]->source;
    if (source == initial || names[source] == source) continue;
    (id <= read ? make_own(events_[id], *events_[id]) : *events_[id]).source = names[source];
  }
  const event_id kept = names[read];
  make_own(events_[kept], *events_[kept]).source = initial;

  for (std::size_t l = 0; l != locations_.size(); ++l) {
    event_id predecessor = initial;
    // NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): a name must be declared with a value
    for (event_id w = from.first_write(static_cast<location_id>(l)), next = w; w != initial; w = next) {
      next = from[w].after;  // which may be an event of both graphs
      if (names[w] == initial) continue;
      event& kept_write = *events_[names[w]];
      kept_write.before = predecessor;
      kept_write.after = initial;
      (predecessor == initial ? locations_[l].first : events_[predecessor]->after) = names[w];
      kept_write.rank = static_cast<std::uint16_t>(rank(predecessor) + 1);
      predecessor = names[w];
    }
    locations_[l].last = predecessor;
  }
  return kept;
}

void graph::clear() {
  events_.clear();
  used_ = 0;
  for (auto& t : threads_) t.clear();
  locations_.clear();
  fences_.clear();
  spawns_ = none();
}

}  // namespace licit::checker::detail
