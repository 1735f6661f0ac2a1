#include "core/graph.hpp"

#include <cassert>

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

}  // namespace

event_id graph::append(const event& e) {
  const event_id id = size();
  events_.push_back(e);
  event& added = events_.back();
  added.before = added.after = initial;
  assert(added.index == threads_[added.thread()].size());
  threads_[added.thread()].push_back(id);
  if (accesses(added)) {
    location& l = make(added.op.location);
    added.chained = l.last_access;
    l.last_access = id;
  }
  return id;
}

void graph::renumber(event_id from, unsigned rank) {
  for (event_id w = from; w != initial; w = events_[w].after) events_[w].rank = static_cast<std::uint16_t>(rank++);
}

void graph::place(event_id write, event_id predecessor) {
  event& w = events_[write];
  location& l = make(w.op.location);
  w.before = predecessor;
  w.after = write_after(w.op.location, predecessor);
  (predecessor == initial ? l.first : events_[predecessor].after) = write;
  (w.after == initial ? l.last : events_[w.after].before) = write;
  renumber(write, rank(predecessor) + 1);
}

void graph::displace(event_id write) {
  event& w = events_[write];
  location& l = make(w.op.location);
  if (w.before == initial && l.first != write) return;  // it has no place
  (w.before == initial ? l.first : events_[w.before].after) = w.after;
  (w.after == initial ? l.last : events_[w.after].before) = w.before;
  renumber(w.after, rank(w.before) + 1);
  w.before = w.after = initial;
}

void graph::truncate(event_id size) {
  while (events_.size() > size) {
    const event& e = events_.back();
    if (accesses(e)) {
      if (e.writes()) displace(static_cast<event_id>(events_.size() - 1));
      locations_[e.op.location].last_access = e.chained;
    }
    threads_[e.thread()].pop_back();
    events_.pop_back();
  }
}

event_id graph::restrict(const graph& from, event_id read, const clock& prefix, std::vector<event_id>& names) {
  clear();
  names.assign(from.size(), initial);
  const auto last = static_cast<event_id>(from.size() - 1);
  for (event_id id = 0; id != last; ++id) {
    const event& e = from[id];
    if (id <= read || e.within(prefix)) names[id] = append(e);
  }
  for (event& e : events_) {  // a read may read from a later insertion: only now has every write its name
    if (e.source != initial) e.source = names[e.source];
  }
  const event_id kept = names[read];
  events_[kept].source = initial;

  for (std::size_t l = 0; l != locations_.size(); ++l) {
    event_id predecessor = initial;
    for (event_id w = from.first_write(static_cast<location_id>(l)); w != initial; w = from[w].after) {
      if (names[w] == initial) continue;
      event& kept_write = events_[names[w]];
      kept_write.before = predecessor;
      (predecessor == initial ? locations_[l].first : events_[predecessor].after) = names[w];
      kept_write.rank = static_cast<std::uint16_t>(rank(predecessor) + 1);
      predecessor = names[w];
    }
    locations_[l].last = predecessor;
  }
  return kept;
}

void graph::clear() {
  events_.clear();
  for (auto& t : threads_) t.clear();
  locations_.clear();
}

}  // namespace licit::checker::detail
