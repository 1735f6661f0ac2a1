/// Threads that the program starts itself. What happens before a spawn happens before all that the thread does, and all
/// of that happens before a join's end.
#include <algorithm>
#include <string>

#include "core/executor.hpp"

namespace licit::checker::detail {

const clock& executor::now() const {
  static constexpr clock nothing{};
  const graph& g = search_.current();
  const std::size_t done = threads_[thread_].cursor;
  return done == 0 ? nothing : g[g.at(thread_, static_cast<unsigned>(done - 1))].happened;
}

void executor::set_initial(location_id l, word value) {
  search_.set_initial(l, value);
  memory_.location_at(l).value = value;
}

event_id executor::finish_of(unsigned t) const {
  const graph& g = search_.current();
  const auto events = g.thread(t);
  return !events.empty() && g[events.back()].op.what == action::finish ? events.back() : initial;
}

/// The number is the lowest that is free in the graph: what comes next is a function of the graph.
unsigned executor::spawn(const char* site) {
  const heap::scope engine{nullptr};
  const graph& g = search_.current();
  const thread_state& t = threads_[thread_];
  operation op{.what = action::spawn, .site = site};
  if (t.cursor < g.thread(thread_).size()) op.operand = g[g.at(thread_, static_cast<unsigned>(t.cursor))].op.operand;
  if (const event* e = recorded(op)) return static_cast<unsigned>(e->op.operand);
  unsigned free = 1;
  while (free != program_.threads && spawn_of(free) != initial) ++free;
  if (free == program_.threads) {
    fail(violation::unsupported, "the program has more than " + std::to_string(program_.threads) +
                                     " threads, its first included, which is all that the checker has");
  }
  op.operand = free;
  in_use_ = std::max(in_use_, free + 1);
  add(op);
  return free;
}

void executor::begin() {
  const heap::scope engine{nullptr};
  operation op{.what = action::begin};
  threads_[thread_].now = standing::running;
  if (recorded(op) != nullptr) return;
  search_.add_after(op, spawn_of(thread_));
  extended();
}

void executor::finish() {
  const heap::scope engine{nullptr};
  operation op{.what = action::finish};
  if (recorded(op) == nullptr) add(op);
}

void executor::join(unsigned other, const char* site) {
  const heap::scope engine{nullptr};
  operation op{.what = action::join, .operand = other, .site = site};
  if (recorded(op) != nullptr) return;
  thread_state& t = threads_[thread_];
  while (!has_finished(other)) {
    t.now = standing::joining;
    t.joined = other;
    yield();
  }
  t.now = standing::running;
  search_.add_after(op, finish_of(other));
  extended();
}

}  // namespace licit::checker::detail
