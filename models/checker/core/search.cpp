#include "core/search.hpp"

#include <algorithm>
#include <cassert>

namespace licit::checker::detail {

void search::begin() {
  while (depth_ != 0) pop();
  level_ = 0;
  rejected_ = pieces_ = taken_ = 0;
  rules_differ_ = false;
  equal_.begin();
  push().events.clear();
}

/// What events the frame had is left to the caller: a graph is made faster where one was.
search::frame& search::push() {
  if (depth_ == frames_.size()) frames_.push_back(std::make_unique<frame>());
  ++depth_;
  top().untried.clear();
  top().is_lent = false;
  top().shared = 0;
  graph_ = &top().events;
  return top();
}

void search::pop() {
  forget_images(top(), 0);
  --depth_;
  graph_ = depth_ == 0 ? nullptr : &top().events;
}

/// For later, a level below the alternative that the current graph continues.
void search::offer(alternative a) {
  a.level = level_ + 1;
  a.began_as = initial_value(a.op.location);
  top().untried.push_back(a);
}

/// Whether the alternative is explored here: if it is a piece, and nobody else's.
bool search::goes_into(const alternative& a) {
  if (cut_.level == 0 || a.level != cut_.level) return true;
  const bool mine = cut_.takes(pieces_++);
  taken_ += mine ? 1U : 0U;
  return mine;
}

answer search::access(const operation& op) {
  offers_ = false;
  if (op.what == action::store) return write(op);
  const frame& f = top();
  const std::size_t latest = f.kept == 0 ? f.shared : f.images[f.kept - 1]->events();
  const bool is_far = f.events.size() >= latest + most_replayed_;
  const answer result = read(op);
  offers_ = offers_ || is_far;  // a write may revisit it, which would have all since the latest image done again
  return result;
}

image* search::place_for_image() {
  if (images_ == most_images) return nullptr;
  frame& f = top();
  if (f.kept == f.images.size()) f.images.push_back(std::make_unique<image>());
  ++images_;
  return f.images[f.kept++].get();
}

const image* search::latest_image() const {
  event_id shared = current().size();
  for (std::size_t d = depth_; d-- != 0;) {
    const frame& f = *frames_[d];
    for (std::size_t i = f.kept; i-- != 0;) {
      if (f.images[i]->events() <= shared) return f.images[i].get();
    }
    shared = std::min(shared, f.shared);
  }
  return nullptr;
}

/// Adds the read, and the write of a read-modify-write, if the result is consistent; offers the write's revisits even
/// when the write itself has no place. On false the graph is as it was.
bool search::try_read(const operation& op, event_id source, unsigned choice) {
  graph& g = top().events;
  const event_id size = g.size();
  const event_id r = append_read(op, source, choice);
  if (equal_.in_order(g, g[r]) && readable(r)) {
    if (g[r].half != part::read) return true;
    const event_id w = append_write(op, true);
    offer_revisits(
        w,
        {.how = way::revisit, .choice = static_cast<std::uint8_t>(choice), .size = size, .source = source, .op = op});
    if (vacant(g, op.location, source)) {
      g.place(w, source);
      if (sequentially_consistent(w)) return true;
    }
  }
  g.truncate(size);
  return false;
}

answer search::read(const operation& op) {
  graph& g = top().events;
  const event_id size = g.size();
  const event_id newest = g.last_write(op.location);
  const event probe = next_read(g, op);
  const unsigned bound = earliest(g, op.location, probe.happened);
  for (event_id source = newest; g.rank(source) >= bound; source = g[source].before) {
    // A thread that awaits something else goes on only if this read is revisited, and only the newest write can be.
    unsigned choice = awaited(op, source) ? choices(g, probe, value_of(op.location, source)) : 0;
    for (; choice-- != 0;) {
      if ((source == newest && choice == 0) || !try_read(op, source, choice)) continue;
      g.truncate(size);
      offers_ = true;
      offer({.how = way::read, .choice = static_cast<std::uint8_t>(choice), .size = size, .source = source, .op = op});
    }
    if (source == initial) break;
  }
  if (!try_read(op, newest, 0)) {
    assert(op.how == change::sleep);  // anything else can read the newest write
    reject();
    return {0, false, progress::impossible};
  }
  return answer_of(g[size]);
}

answer search::write(const operation& op) {
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
    if (!equal_.in_order(g, g[w])) {
      g.displace(w);
      break;  // nor is it in an earlier place
    }
    if (sequentially_consistent(w)) {
      offers_ = true;
      offer({.how = way::write, .size = size, .source = predecessor, .op = op});
    } else {
      reject();
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
      pop();
      continue;
    }
    const alternative a = f.untried.back();
    f.untried.pop_back();
    if (!goes_into(a)) continue;
    if (std::exchange(f.is_lent, false)) f.events.restore_order();
    f.events.truncate(a.size);
    std::size_t kept = f.kept;
    while (kept != 0 && f.images[kept - 1]->events() > a.size) --kept;
    forget_images(f, kept);
    if (resume(a)) return true;
  }
  return false;
}

/// Makes the alternative's graph. False if there is none to continue with as yet.
bool search::apply(const alternative& a) {
  graph& g = top().events;
  switch (a.how) {
    case way::read: {
      const event_id r = append_read(a.op, a.source, a.choice);
      if (g[r].half == part::read) g.place(append_write(a.op, true), a.source);
      return true;
    }
    case way::write: g.place(append_write(a.op, false), a.source); return true;
    case way::revisit: restrict(a); return false;
    case way::placed: return apply_placed(a);
  }
  return false;
}

}  // namespace licit::checker::detail
