/// Ghost reads: what an algorithm reads before it knows that it may, and what overwrites it.
///
/// RC11 forbids load buffering, so it does not show a read that moves behind the claim that follows it. The obligation
/// that stands in for it: the read of whoever wins happens before the next overwrite.
#include <string>

#include "core/executor.hpp"
#include "show/words.hpp"

namespace licit::checker::detail {

bool executor::committed(const event& read) const {
  const graph& g = search_.current();
  const auto thread = g.thread(read.thread());
  for (std::size_t i = read.index + std::size_t{1}; i < thread.size(); ++i) {
    const event& e = g[thread[i]];
    if (e.op.what == action::ghost_commit && e.op.operand == read.index) return true;
  }
  return false;
}

/// Every other overwrite, and every guess that was right, happens before this one.
void executor::check_overwrite(const operation& op) {
  const location_id l = op.location;
  const graph& g = search_.current();
  const clock& now = behind();
  for (event_id id = g.last_access(l); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (!e.is_ghost() || e.within(now) || (e.op.what == action::ghost_read && !committed(e))) continue;
    fail(violation::race,
         thread_name(thread_) + " overwrites " + location_name(memory_, l) + ", unordered with a " +
             (e.op.what == action::ghost_read ? "read" : "write") + " by " + thread_name(e.thread()) + " (a ghost)",
         {{id}, &op});
  }
}

/// Every overwrite happens before the guess, or after it.
void executor::check_commit(const event& read) {
  const graph& g = search_.current();
  for (event_id id = g.last_access(read.op.location); id != initial; id = g[id].chained) {
    const event& e = g[id];
    if (e.op.what != action::ghost_write || e.within(read.happened) || read.within(e.happened)) continue;
    fail(violation::race,
         thread_name(thread_) + " claims what it read of " + location_name(memory_, read.op.location) +
             ", unordered with a write by " + thread_name(e.thread()) + " (a ghost)",
         {{id, g.at(read.thread(), read.index)}});
  }
}

void executor::overwrite(location_id l) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads || !options_.ghosts) return;
  operation op{.what = action::ghost_write, .location = l};
  if (recorded(op) != nullptr) return;
  check_alive(l, &op);
  check_overwrite(op);
  add(op);
}

void executor::guess(location_id l) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads || !options_.ghosts) return;
  operation op{.what = action::ghost_read, .location = l};
  if (recorded(op) == nullptr) {
    check_alive(l, &op);
    add(op);
  }
  threads_[thread_].guesses.push_back(static_cast<event_id>(threads_[thread_].cursor - 1));
}

void executor::read(location_id l) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads || !options_.ghosts) return;
  guess(l);
  const auto index = threads_[thread_].guesses.back();
  threads_[thread_].guesses.pop_back();
  commit(index);
}

void executor::commit(event_id index) {
  const graph& g = search_.current();
  const event_id read = g.at(thread_, index);
  operation op{.what = action::ghost_commit, .location = g[read].op.location, .operand = index};
  if (recorded(op) != nullptr) return;
  check_commit(search_.current()[read]);
  add(op);
}

void executor::claim(bool success) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads || !options_.ghosts) return;
  std::vector<event_id>& guesses = threads_[thread_].guesses;
  if (success) {
    for (const event_id index : guesses) commit(index);
  }
  guesses.clear();
}

}  // namespace licit::checker::detail
