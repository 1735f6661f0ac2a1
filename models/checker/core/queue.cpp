#include "core/queue.hpp"

#include "core/coherence.hpp"

namespace licit::checker::detail {

namespace {

/// The compare before the thread's last entry to the queue.
const event* compared(const graph& g, location_id queue, unsigned thread) {
  const auto events = g.thread(thread);
  for (std::size_t i = events.size(); i-- > 1;) {
    const event& e = g[events[i]];
    if (e.op.how == change::sleep && e.half == part::read && e.op.location == queue) return &g[events[i - 1]];
  }
  return nullptr;
}

bool eligible(const graph& g, const clock& before, const event& compare) {
  for (event_id id = g.last_access(compare.op.location); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (e.writes() && e.within(before) && g.rank(e) > g.rank(compare.source)) return true;
  }
  return false;
}

}  // namespace

word wakeable(const graph& g, const event& notify, word queue) {
  if (notify.op.weak) return queue;
  const event* previous = g.previous(notify);
  if (previous == nullptr) return 0;
  word chosen = 0;
  for (unsigned t = 0; t != max_threads; ++t) {
    if ((queue >> t & 1U) == 0) continue;
    const event* compare = compared(g, notify.op.location, t);
    if (compare != nullptr && eligible(g, previous->happened, *compare)) chosen |= word{1} << t;
  }
  return chosen;
}

bool may_sleep(const graph& g, event_id read) {
  const event& entry = g[read];
  const event* compare = g.previous(entry);
  if (entry.source == initial) return true;
  clock seen = entry.happened;
  seen.join(g[entry.source].released.any);
  return g.rank(compare->source) >= earliest(g, compare->op.location, seen, g.at(entry.thread(), compare->index));
}

event_id waker(const graph& g, location_id queue, unsigned thread) {
  event_id waking = initial;
  for (event_id w = g.last_write(queue); w != initial && (g[w].value >> thread & 1U) == 0; w = g[w].before) waking = w;
  return waking;
}

}  // namespace licit::checker::detail
