/// The engine's part in a walk: threads that let the chooser say who goes on.
#include <array>
#include <string>
#include <utility>

#include "core/executor.hpp"

namespace licit::checker::detail {

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
