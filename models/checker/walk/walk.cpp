#include "walk/walk.hpp"

#include <algorithm>

namespace licit::checker::detail {

walk::walk(release_sequences rule, chooser& chooses, std::uint64_t executions, unsigned patience)
    : exploration{rule}, chooser_{&chooses}, executions_{executions}, patience_{patience} {
  graph_ = &events_;
}

void walk::start(std::uint64_t number) {
  number_ = number;
  events_.clear();
  looks_ = {};
  chooser_->begin(number);
}

bool walk::next() {
  if (number_ + 1 >= executions_) return false;
  start(number_ + 1);
  return true;
}

answer walk::access(const operation& op) { return op.what == action::store ? write(op) : read(op); }

const candidate& walk::chosen() {
  const bool asked = chooser_->follows() || (candidates_.size() > 1 && !tired());
  return candidates_[asked ? chooser_->access(events_, candidates_) : 0];
}

std::size_t walk::thread(std::span<const unsigned> able) {
  if (!tired()) return chooser_->thread(able);
  const auto after = std::ranges::upper_bound(able, last_);
  const auto pick = after == able.end() ? able.begin() : after;
  last_ = *pick;
  return static_cast<std::size_t>(pick - able.begin());
}

/// Adds the read, and the write of a read-modify-write, if the result is consistent. On false the graph is as it was.
bool walk::try_read(const operation& op, event_id source, unsigned choice) {
  const event_id size = events_.size();
  const event_id r = append_read(op, source, choice);
  if (readable(r)) {
    if (events_[r].half != part::read) return true;
    const event_id w = append_write(op, true);
    if (vacant(events_, op.location, source)) {
      events_.place(w, source);
      if (sequentially_consistent(w)) return true;
    }
  }
  events_.truncate(size);
  return false;
}

/// What the read may read and go on with, the newest first.
void walk::collect_sources(const operation& op) {
  candidates_.clear();
  const event_id size = events_.size();
  const event probe = next_read(events_, op);
  unsigned bound = earliest(events_, op.location, probe.happened);
  const look& l = looks_[op.thread];
  if (l.looked) bound = std::max(bound, events_.rank(l.seen));
  for (event_id source = events_.last_write(op.location); events_.rank(source) >= bound;
       source = events_[source].before) {
    const unsigned choices_here = awaited(op, source) ? choices(events_, probe, value_of(op.location, source)) : 0;
    for (unsigned choice = 0; choice != choices_here; ++choice) {
      if (!try_read(op, source, choice)) continue;
      events_.truncate(size);
      candidates_.push_back({.other = source, .choice = static_cast<std::uint8_t>(choice)});
    }
    if (source == initial) break;
  }
}

bool walk::found(const operation& op) {
  collect_sources(op);
  return !candidates_.empty();
}

answer walk::read(const operation& op) {
  look& l = looks_[op.thread];
  const event_id size = events_.size();
  const event_id newest = events_.last_write(op.location);
  collect_sources(op);
  const bool waiting = op.until != nullptr && !awaited(op, newest);
  if (waiting) candidates_.push_back({.other = newest, .waits = true});
  if (candidates_.empty()) {  // only an entry to a queue has nowhere to go
    ++rejected_;
    return {0, false, progress::impossible};
  }
  const candidate c = waiting && l.last ? candidates_.back() : chosen();
  if (c.waits && !l.last) {
    l = {.looked = true, .seen = newest};
    return {0, false, progress::later};
  }
  l = {};
  try_read(op, c.other, c.choice);
  return answer_of(events_[size]);
}

/// The write is not placed yet.
void walk::collect_places(event_id write) {
  const location_id l = events_[write].op.location;
  const unsigned bound = earliest(events_, l, events_[write].happened, write);
  event_id predecessor = events_.last_write(l);
  candidates_.assign(1, {.other = predecessor});
  while (predecessor != initial && events_.rank(predecessor) > bound) {
    predecessor = events_[predecessor].before;
    if (!vacant(events_, l, predecessor)) continue;
    events_.place(write, predecessor);
    if (sequentially_consistent(write)) candidates_.push_back({.other = predecessor});
    events_.displace(write);
  }
}

answer walk::write(const operation& op) {
  const event_id w = append_write(op, false);
  collect_places(w);
  events_.place(w, chosen().other);
  return {op.operand, true};
}

}  // namespace licit::checker::detail
