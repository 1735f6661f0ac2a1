#include "walk/walk.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/executor.hpp"

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

// The engine's part in a walk: threads that let the chooser say who goes on.

/// Until no thread can go on.
void executor::wander() {
  std::array<unsigned, max_threads> able{};
  while (!interrupted()) {
    std::size_t count = 0;
    for (unsigned t = 0; t != program_.threads; ++t) {
      if (runnable(t)) able[count++] = t;
    }
    if (count == 0) {
      if (!give_up()) return;
      continue;
    }
    const std::size_t pick = walk_->thread(std::span(able).first(count));
    check_record();
    if (!interrupted()) resume(able[pick]);
  }
}

/// Threads that look for what they await wait for ever. False if there is none.
bool executor::give_up() {
  bool any = false;
  for (unsigned t = 0; t != program_.threads; ++t) {
    if (threads_[t].stack.ended() || threads_[t].now != standing::looking) continue;
    walk_->give_up(t);
    resume(t);
    any = true;
  }
  return any;
}

/// Before an operation: another thread may go first. Of anything but an atomic access, nobody else could tell.
void executor::pause(const operation& op) {
  chooser& c = walk_->chooses();
  const bool atomic = op.what == action::load || op.what == action::store || op.what == action::modify;
  if (atomic || c.follows()) yield();
  if (!c.follows()) return;
  c.meet(identity(op, static_cast<unsigned>(threads_[thread_].cursor), memory_));
  check_record();
}

void executor::check_record() {
  const std::string& objection = walk_->chooses().objection();
  if (!objection.empty()) fail(violation::unlike_record, objection);
}

/// An access, as often as it finds nothing that it awaits but may later.
answer executor::attempt(const operation& op) {
  answer result = search_.access(op);
  while (result.made == progress::later) {
    thread_state& t = threads_[thread_];
    t.now = standing::looking;
    t.put_off = &op;
    yield();
    t.now = standing::running;
    result = search_.access(op);
  }
  if (walk_ != nullptr) check_record();
  return result;
}

/// A thread that goes round in a loop lets the others go first, until another round would not be the same.
void executor::go_round() {
  thread_state& t = threads_[thread_];
  t.now = standing::spinning;
  yield();
  t.now = standing::running;
}

/// The first execution of a sample, and one that violates, are run again as they were recorded: a program that is a
/// function of what it reads does the same.
void executor::confirm() {
  verdict_.number = walk_->number();
  if (options_.how == mode::replay || impossible_) return;
  const bool violates = verdict_.outcome == outcome::violation;
  if (!violates && walk_->number() != 0) return;
  const record steps = violates ? verdict_.steps : record_of(search_.current(), memory_, main_thread);
  verdict first = std::exchange(verdict_, {});
  const auto observe = std::exchange(options_.observe, nullptr);
  const auto observe_blocked = std::exchange(options_.observe_blocked, nullptr);
  const auto guide = follow(steps);
  walk_->choose_by(*guide);
  confirming_ = true;
  do {
    walk_->repeat();
    again_ = impossible_ = false;
    execute();
  } while (again_);
  confirming_ = false;
  walk_->choose_by(*chooser_);
  options_.observe = observe;
  options_.observe_blocked = observe_blocked;
  const verdict second = std::exchange(verdict_, std::move(first));
  if (second.outcome == verdict_.outcome && second.kind == verdict_.kind && second.message == verdict_.message) return;
  verdict_.outcome = outcome::violation;
  verdict_.kind = violation::nondeterministic;
  verdict_.message =
      "given the same choices again, the program did something else: " +
      (second.message.empty() ? "nothing that is wrong, after '" + verdict_.message + "'" : second.message);
}

}  // namespace licit::checker::detail
