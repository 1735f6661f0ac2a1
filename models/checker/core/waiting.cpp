/// Threads that do not go on: asleep, awaiting, going round in a loop, or stopped by the options.
#include <algorithm>
#include <array>
#include <string>

#include "core/executor.hpp"
#include "core/queue.hpp"
#include "show/words.hpp"

namespace licit::checker::detail {

bool executor::runnable(unsigned t) const {
  const thread_state& state = threads_[t];
  if (state.stack.ended()) return false;
  if (state.now == standing::unborn) return spawn_of(t) != initial;
  if (state.now == standing::joining) return has_finished(state.joined);
  if (state.now == standing::asleep) return waker(search_.current(), state.queue, t) != initial;
  if (walk_ != nullptr && state.now == standing::looking)
    return walk_->chooses().has_more() || walk_->found(*state.put_off);
  if (walk_ != nullptr && state.now == standing::spinning) return walk_->chooses().has_more() || !would_repeat(t);
  return state.now == standing::running;
}

/// The calling thread does not go on in this execution.
void executor::stop(standing why) {
  threads_[thread_].now = why;
  drop_thread();
}

void executor::abandon() {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads) return fail(violation::deadlock, "the main thread goes no further");
  stop(standing::abandoned);
}

bool executor::sleep(location_id l, bool timed, const char* site) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads) {
    fail(violation::deadlock, "the main thread sleeps while no other thread runs");
    return false;
  }
  const location_id queue = held(memory_.queue_of(l));
  thread_state& t = threads_[thread_];
  operation entering{
      .what = action::modify, .how = change::sleep, .location = queue, .operand = word{1} << thread_, .site = site};
  perform(entering);
  operation waking{.what = action::awake, .location = queue, .site = site};
  if (recorded(waking) != nullptr) return true;
  event_id notify = initial;
  while ((notify = waker(search_.current(), queue, thread_)) == initial) {
    t.now = standing::asleep;
    t.timed = timed;
    t.queue = queue;
    yield();
  }
  t.now = standing::running;
  waking.thread = static_cast<std::uint8_t>(thread_);
  search_.add_awake(waking, notify);
  extended();
  return true;
}

void executor::notify(location_id l, wake how, order strength, const char* site) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads) return;
  const bool futex = how == wake::futex_one || how == wake::futex_all;
  const bool all = how == wake::notify_all || how == wake::futex_all;
  const bool known = threads_[thread_].cursor < search_.current().thread(thread_).size();
  if (!futex && !known) check_alive(l);
  operation waking{.what = action::modify,
                   .success = strength,
                   .how = all ? change::wake_all : change::wake_one,
                   .weak = futex,
                   .location = held(memory_.queue_of(l)),
                   .site = site};
  perform(waking);
  if (was_recorded_ || walk_ != nullptr) return;
  for (unsigned t = 0; t != thread_; ++t) {
    if (runnable(t)) return yield();  // the first thread that can go on does
  }
}

bool executor::changed_nothing(const event& e) const {
  switch (e.op.what) {
    case action::load:
    case action::fence:
    case action::plain_read:
    case action::ghost_read: return true;
    case action::modify:
      if (e.half == part::whole) return true;
      if (memory_.location_at(e.op.location).waited_on != nowhere) return false;
      return e.half == part::read ? applied(e.op, e.value) == e.value : search_.current().previous(e)->value == e.value;
    default: return false;
  }
}

/// Whether the calling thread has changed nothing since that event.
bool executor::harmless(std::size_t from) const {
  const graph& g = search_.current();
  const auto events = g.thread(thread_);
  return std::all_of(events.begin() + static_cast<std::ptrdiff_t>(from), events.end(),
                     [&](event_id id) { return changed_nothing(g[id]); });
}

/// Whether the operation may be the beginning of another round: then snapshots are taken before it. What is suspected
/// first has its stack compared only, which is cheap. When a suspicion arises the execution is begun again, to have
/// what there was to compare in the round before, too.
bool executor::may_loop(const operation& op) {
  if (phase_ != phase::threads || (op.what != action::load && op.what != action::modify)) return false;
  const heap::scope engine{nullptr};
  watching_ = suspects(op, static_cast<const std::byte*>(__builtin_frame_address(0)));
  return watching_;
}

bool executor::suspects(const operation& op, const std::byte* frame) {
  for (suspect& s : suspects_) {
    if (s.thread == thread_ && s.location == op.location && s.site == op.site) return s.likely || is_likely(s, frame);
  }
  const graph& g = search_.current();
  const auto events = g.thread(thread_);
  if (threads_[thread_].cursor != events.size() || !snapshots_work()) return false;
  for (std::size_t i = events.size(); i-- != 0;) {
    const event& e = g[events[i]];
    if (!changed_nothing(e)) return false;
    if (!same(e.op, op) || e.half == part::write) continue;
    suspects_.push_back({thread_, op.location, op.site});
    search_.forget_images();  // which have none of its stacks
    begin_again();
  }
  return false;
}

bool executor::is_likely(suspect& s, const std::byte* frame) {
  thread_state& state = threads_[thread_];
  const std::uint64_t hash = hash_of_stack(frame, state.stack.bottom());
  const bool latest = state.cursor == search_.current().thread(thread_).size();
  for (const fingerprint& earlier : state.seen) {
    if (!latest || earlier.hash != hash || !harmless(earlier.index)) continue;
    s.likely = true;
    begin_again();
  }
  state.seen.push_back({state.cursor, hash});
  return false;
}

void executor::begin_again() {
  again_ = true;
  yield();  // and is dropped
}

/// What tells the rounds of a loop apart, apart from the stack. Not inlined: it leaves nothing there.
[[gnu::noinline]] void executor::gather() {
  const heap::scope engine{nullptr};
  std::vector<std::span<const std::byte>>& parts = watched_;
  parts.clear();
  for (unsigned t = 0; t <= max_threads; ++t) parts.push_back(memory_.allocated(t));
  if (program_.around != nullptr) {
    parts.push_back(program_.around->globals());
    parts.push_back(program_.around->thread_locals_of(thread_));
  } else {
    heap_.add_those_of(thread_, parts);
    parts.push_back(thread_locals_.block());
    parts.emplace_back(static_cast<const std::byte*>(object_), program_.size);  // the last: see `watch`
  }
}

/// Before an operation that may be a loop's: if the thread is where it was before, it goes round.
void executor::watch() {
  gather();
  thread_state& state = threads_[thread_];
  take_snapshot(state.stack.bottom(), watched_, snapshot_);
  for (const extent& note : notes_) {
    const auto from = static_cast<const std::byte*>(note.begin) - static_cast<const std::byte*>(object_);
    std::fill_n(snapshot_.end() - static_cast<std::ptrdiff_t>(program_.size) + from, note.size, std::byte{});
  }
  if (state.cursor == search_.current().thread(thread_).size()) {
    for (snapshot& s : state.passed) {
      if (!s.is_of(snapshot_) || !harmless(s.index)) continue;
      state.round = s.index;
      if (walk_ == nullptr) stop(standing::spinning);
      s.index = state.cursor;  // should it go on, of the next round
      return go_round();
    }
  }
  state.passed.push_back({state.cursor, snapshot_});
}

void executor::notes(extent bytes) {
  const heap::scope engine{nullptr};
  notes_.push_back(bytes);
}

word executor::newest_value(location_id l) const {
  const event_id newest = search_.current().last_write(l);
  return newest == initial ? memory_.location_at(l).value : search_.current()[newest].value;
}

/// Whether another round, on the newest values, would be the same again.
bool executor::would_repeat(unsigned t) const {
  const graph& g = search_.current();
  const auto events = g.thread(t);
  return std::all_of(events.begin() + static_cast<std::ptrdiff_t>(threads_[t].round), events.end(), [&](event_id id) {
    const event& e = g[id];
    return !e.reads() || (!e.spurious() && newest_value(e.op.location) == e.value);
  });
}

/// Memory is fair: who reads again and again sees the newest write at last. So a thread that only would have to look
/// again does not wait for ever; its execution is a part of another.
bool executor::waits_for_ever(unsigned t) const {
  const graph& g = search_.current();
  switch (threads_[t].now) {
    case standing::waiting: {
      const event& read = g[g.thread(t).back()];
      return g.last_write(read.op.location) == read.source;
    }
    case standing::spinning: return would_repeat(t);
    case standing::asleep: return !threads_[t].timed;
    case standing::abandoned: return false;
    case standing::running:
    case standing::looking:
    case standing::unborn:
    case standing::joining:
    case standing::stalled: break;
  }
  return true;
}

bool executor::joins_stopped(const thread_state& t) const {
  const thread_state* other = &t;
  for (unsigned most = program_.threads; most != 0 && other->now == standing::joining; --most) {
    other = &threads_[other->joined];
  }
  return other != &t && other->now == standing::stalled;
}

void executor::check_waiting() {
  bool spins = false;
  for (unsigned t = 0; t != program_.threads; ++t) {
    if (waits(threads_[t].now) && !waits_for_ever(t)) {
      verdict_.blocked += search_.counts() ? 1U : 0U;
      return;
    }
    spins = spins || threads_[t].now == standing::spinning;
  }
  if (options_.deadlocks) return report_waiting();
  if (!search_.counts()) return;
  ++verdict_.deadlocked;
  if (options_.observe) options_.observe(search_.current());
}

/// Whether a sleeping thread would not have slept on the value that is there now.
bool executor::has_changed(unsigned t) const {
  const graph& g = search_.current();
  const auto events = g.thread(t);
  const event& compare = g[events[events.size() - 3]];  // before the two halves of its entry to the queue
  return newest_value(compare.op.location) != compare.value;
}

std::string executor::why_waiting(unsigned t) const {
  const graph& g = search_.current();
  const auto events = g.thread(t);
  const location_id l = events.empty() ? nowhere : g[events.back()].op.location;
  switch (threads_[t].now) {
    case standing::asleep: {
      const std::string text = " sleeps on " + location_name(memory_, memory_.location_at(l).waited_on);
      return text +
             (has_changed(t) ? ", whose value has changed, and nobody will wake it" : ", and nobody will wake it");
    }
    case standing::spinning: return " goes round in a loop that changes nothing and ends by nobody's doing";
    case standing::joining: return " waits for " + thread_name(threads_[t].joined) + " to end";
    case standing::waiting: return " waits for a value of " + location_name(memory_, l) + " that nobody will write";
    default: return " does not go on";
  }
}

void executor::report_waiting() {
  if (program_.around != nullptr) program_.around->describe();
  violation kind = violation::deadlock;
  std::string message;
  offence by;
  for (unsigned t = 0; t != program_.threads; ++t) {
    const standing now = threads_[t].now;
    if (now == standing::running || now == standing::unborn) continue;
    const auto events = search_.current().thread(t);
    const char* const site = events.empty() ? nullptr : search_.current()[events.back()].op.site;
    if (!events.empty()) by.events.push_back(events.back());
    if (now == standing::spinning && kind == violation::deadlock) kind = violation::endless;
    if (now == standing::asleep && has_changed(t)) kind = violation::lost_wakeup;
    message += (message.empty() ? "" : "; ") + thread_name(t);
    message += now == standing::stalled ? " was stopped after " + std::to_string(options_.stalled.after) + " steps"
                                        : why_waiting(t);
    if (program_.around != nullptr && site != nullptr) message.append(" [").append(site).append("]");
  }
  fail(kind, message, by);
}

void executor::check_operations(unsigned begun, unsigned most) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads || operations() - begun <= most) return;
  fail(violation::steps, thread_name(thread_) + " has taken " + std::to_string(operations() - begun) +
                             " atomic operations where at most " + std::to_string(most) + " are stated");
}

/// A thread that fails to update has somebody else's update to show for it, each of its failures another.
void executor::check_retries() {
  const graph& g = search_.current();
  for (unsigned t = 0; t != program_.threads; ++t) {
    if (threads_[t].now == standing::stalled) continue;
    std::vector<event_id> paid;
    for (const event_id id : g.thread(t)) {
      const event& e = g[id];
      if (e.op.how != change::compare_exchange || e.op.what != action::modify || e.half != part::whole) continue;
      if (e.spurious() || e.stuck) continue;
      const bool others = e.source != initial && g[e.source].thread() != t;
      if (!others || std::ranges::find(paid, e.source) != paid.end()) {
        return fail(violation::retries,
                    thread_name(t) + " fails to update " + location_name(memory_, e.op.location) +
                        " though nobody else has updated it since",
                    {{id}});
      }
      paid.push_back(e.source);
    }
  }
}

}  // namespace licit::checker::detail
