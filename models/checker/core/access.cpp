/// The operations of the program under test, as they come in.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/edges.hpp>

#include "core/executor.hpp"
#include "show/words.hpp"

namespace licit::checker::detail {

namespace {

/// Not a futex's, which needs the address only.
bool standard_notify(const operation& op) { return op.what == action::modify && op.wakes() && !op.weak; }

bool counts(action a) { return a <= action::fence || a == action::awake; }

}  // namespace

/// What the graph has for the thread's next operation, or null if that is new. Before something new the replay ends.
const event* executor::recorded(operation& op) {
  thread_state& t = threads_[thread_];
  if (options_.stalled.thread == thread_ && options_.stalled.after == t.steps) stop(standing::stalled);
  if (op.what < action::ghost_construct) ++t.steps;
  if (counts(op.what)) ++t.operations;
  while (t.cursor == search_.current().thread(thread_).size()) {  // of another graph when it was put back
    if (left_ == 0 && (goes_on_ == anyone || goes_on_ == thread_)) {
      goes_on_ = anyone;
      op.thread = static_cast<std::uint8_t>(thread_);
      if (walk_ != nullptr) pause(op);
      return nullptr;
    }
    yield();
  }
  return next_recorded(op);
}

/// Not inlined, like others that put a violation into words: what it needs of the stack would be in every image.
[[gnu::cold, gnu::noinline]] void executor::object_to_difference(operation op, const event& before) {
  op.thread = static_cast<std::uint8_t>(thread_);
  fail(violation::nondeterministic, "given the same values again, " + thread_name(thread_) + " did '" +
                                        describe(op, memory_) + "' where it had done '" + describe(before.op, memory_) +
                                        "'");
}

/// The thread does once more what the graph has next of it, as soon as what it reads is there.
const event* executor::next_recorded(operation& op) {
  const graph& g = search_.current();
  thread_state& t = threads_[thread_];
  const event& e = g[g.at(thread_, static_cast<unsigned>(t.cursor))];
  if (!same(e.op, op)) object_to_difference(op, e);
  if (e.has_source()) {
    const event& write = g[e.source];
    while (threads_[write.thread()].cursor <= write.index) yield();
  }
  const std::size_t events = e.half == part::read ? 2 : 1;
  t.cursor += events;
  left_ -= events;
  return &e;
}

/// After an event was added: the thread has done it.
void executor::extended() {
  const graph& g = search_.current();
  threads_[thread_].cursor = g.thread(thread_).size();
  if (search_.unequal()) return object_to_equality();
  if (g.size() > options_.max_events) {
    fail(violation::endless, "more than " + std::to_string(options_.max_events) +
                                 " events in one execution: a loop without end (wait by await), or raise max_events");
  }
}

void executor::add(const operation& op, word value) {
  search_.add(op, value);
  extended();
}

const clock& executor::behind() const {
  static constexpr clock nothing{};
  const graph& g = search_.current();
  const auto events = g.thread(thread_);
  return events.empty() ? nothing : g[events.back()].happened;
}

/// A replay has events of the thread before it that the thread has not yet come to.
past executor::happened() const {
  past counts{};
  if (phase_ != phase::threads || threads_[thread_].cursor == 0) return counts;
  const graph& g = search_.current();
  const clock& set = g[g.at(thread_, static_cast<unsigned>(threads_[thread_].cursor - 1))].happened;
  for (unsigned t = 0; t != counts.size(); ++t) counts[t] = static_cast<std::uint16_t>(set.count(t));
  return counts;
}

answer executor::access(operation& op) {
  const heap::scope engine{nullptr};
  if (std::exchange(watching_, false)) watch();
  return perform(op);
}

answer executor::perform(operation& op) {
  if (sequential()) return access_directly(op);
  const event* e = recorded(op);
  if (e == nullptr) check_alive(standard_notify(op) ? memory_.location_at(op.location).waited_on : op.location, &op);
  answer result = e != nullptr ? answer_of(*e) : attempt(op);
  if (result.made == progress::impossible) {
    impossible_ = true;
    yield();  // and is dropped
  }
  if (e == nullptr && goes_back() && search_.offers_to_go_back() && !keep_before_access()) {
    e = next_recorded(op);
    result = answer_of(*e);
  }
  was_recorded_ = e != nullptr;
  if (!was_recorded_) extended();
  if (result.made == progress::stuck) stop(standing::waiting);
  return result;
}

/// Has an image made of what was before the access that was just added. False in another execution, which went back to
/// it: then the graph has another event in its place.
bool executor::keep_before_access() {
  keeping_ = true;
  yield();
  return is_kept_;
}

answer executor::access_directly(const operation& op) {
  check_alive(op.location);
  location& l = memory_.location_at(op.location);
  const word before = l.value;
  if (op.until != nullptr && !op.until(before, op.expected)) {
    fail(violation::deadlock, "the main thread waits while no other thread runs");
  }
  const bool writes = op.what == action::store || (op.what == action::modify && op.succeeds(before));
  if (writes) l.value = op.what == action::store ? op.operand : applied(op, before);
  return {before, writes};
}

void executor::fence(order strength, asymmetry weight, const char* site) {
  const heap::scope engine{nullptr};
  if (phase_ != phase::threads) return;
  operation op{.what = action::fence, .success = strength, .weight = weight, .site = site};
  if (recorded(op) == nullptr) add(op);
}

location_id executor::held(location_id l) {
  if (l == nowhere) {
    fail(violation::unsupported, "the program has more than " + std::to_string(nowhere) + " atomics and plain cells");
  }
  return l;
}

/// An atomic begins with a write that is not atomic, and so does a plain cell.
location_id executor::constructed(action what, location_id l, word value, look seen) {
  location& place = memory_.location_at(l);
  place.seen = seen;
  place.value = value;
  if (phase_ != phase::threads) return l;
  // The location's name is taken when the construction is its thread's turn, not before: recorded() may switch.
  place.born = static_cast<std::uint16_t>(threads_[thread_].cursor);
  operation op{.what = what, .location = l, .operand = value};
  if (recorded(op) == nullptr) {
    for (const location_id former : memory_.sharing_bytes(l)) check_former(op, former);
    add(op, value);
  }
  end_former(l);
  return l;
}

/// Whether the location's construction is in the graph: it may only be about to come.
bool executor::is_there(const location& l) const {
  return l.maker == main_thread || search_.current().thread(l.maker).size() > l.born;
}

/// Whatever was done to a cell happens before another is constructed in its bytes: the construction is a write.
void executor::check_former(const operation& op, location_id former) {
  const location& place = memory_.location_at(former);
  if (!is_there(place)) return;
  const graph& g = search_.current();
  const clock& now = behind();
  const auto race = [&](const char* deed, event_id other) {
    fail(violation::race,
         thread_name(thread_) + " constructs " + location_name(memory_, op.location) + " in the bytes of " +
             location_name(memory_, former) + ", unordered with " + deed + " by " + thread_name(g[other].thread()),
         {{other}, &op});
  };
  if (place.maker != main_thread && !now.covers(place.maker, place.born)) {
    race("its construction", g.at(place.maker, place.born));
  }
  if (place.ender != main_thread && !now.covers(place.ender, place.ended)) {
    race("its end", g.at(place.ender, place.ended));
  }
  for (event_id id = g.last_access(former); id != initial; id = g[id].chained) {
    if (!g[id].within(now)) race("an access", id);
  }
}

/// The lives that the construction of a cell ends, if nobody has ended them before.
void executor::end_former(location_id l) {
  for (const location_id id : memory_.sharing_bytes(l)) {
    location& former = memory_.location_at(id);
    if (former.dead || !is_there(former)) continue;
    former.dead = true;
    former.ender = static_cast<std::uint8_t>(thread_);
    former.ended = memory_.location_at(l).born;
  }
}

void executor::plain_access(action what, location_id l, word value) {
  const heap::scope engine{nullptr};
  if (sequential()) {
    check_alive(l);
    if (what == action::plain_write) memory_.location_at(l).value = value;
    return;
  }
  operation op{.what = what, .location = l, .operand = value};
  if (recorded(op) != nullptr) return;
  check_alive(l, &op);
  check_plain(op);
  add(op, value);
}

offence executor::freed_before(block_id b, const operation& next) const {
  const graph& g = search_.current();
  offence by{{}, &next};
  for (event_id id = 0; id != g.size(); ++id) {
    if (g[id].op.what == action::release && g[id].op.location == b) by.events.push_back(id);
  }
  return by;
}

/// By whose fault a dead location is accessed: who ended its life is known if it was a thread.
offence executor::ended_before(location_id l, const operation* next) const {
  const graph& g = search_.current();
  const location& place = memory_.location_at(l);
  offence by{{}, next};
  if (place.ender != main_thread) by.events.push_back(g.at(place.ender, place.ended));
  for (event_id id = 0; id != g.size(); ++id) {
    if (g[id].op.what == action::release && g[id].op.location == place.block) by.events.push_back(id);
  }
  return by;
}

/// The location must be one that was constructed, before this access, and is not destroyed or freed.
void executor::check_alive(location_id l, const operation* next) {
  if (!memory_.known(l) || !memory_.is_of_this_execution(l)) {
    return fail(violation::use_after_free, "an access to what is no constructed object");
  }
  const location& place = memory_.location_at(l);
  if (place.dead) {
    return fail(violation::use_after_free,
                thread_name(thread_) + " accesses " + location_name(memory_, l) +
                    ", which is destroyed or freed, or its bytes used again",
                ended_before(l, next));
  }
  if (phase_ == phase::threads && place.maker != main_thread && !behind().covers(place.maker, place.born)) {
    fail(violation::race,
         thread_name(thread_) + " accesses " + location_name(memory_, l) + ", whose construction by " +
             thread_name(place.maker) + " does not happen before",
         {{search_.current().at(place.maker, place.born)}, next});
  }
}

/// Every conflicting access happens before this one. (What was there when a write was added happens before that write,
/// so the walk can end at a write.)
void executor::check_plain(const operation& op) {
  const graph& g = search_.current();
  const clock& now = behind();
  for (event_id id = g.last_access(op.location); id != initial; id = g[id].chained) {
    const event& e = g[id];
    const bool written = e.op.what == action::plain_write;
    if ((written || op.what == action::plain_write) && !e.within(now)) {
      fail(violation::race,
           thread_name(thread_) + (op.what == action::plain_write ? " writes " : " reads ") +
               location_name(memory_, op.location) + ", unordered with a plain " + (written ? "write" : "read") +
               " by " + thread_name(e.thread()),
           {{id}, &op});
    }
    if (written) return;
  }
}

/// Every access to a location happens before its end.
void executor::check_end(const operation& op, const location& place, location_id l, const char* what) {
  const graph& g = search_.current();
  const clock& now = behind();
  for (event_id id = g.last_access(l); id != initial; id = g[id].chained) {
    if (g[id].within(now)) continue;
    fail(violation::race,
         thread_name(thread_) + what + location_name(memory_, l) + ", unordered with an access by " +
             thread_name(g[id].thread()),
         {{id}, &op});
  }
  if (place.queue == nowhere) return;
  for (event_id id = g.last_access(place.queue); id != initial; id = g[id].chained) {
    if (!g[id].op.wakes() || g[id].op.weak || g[id].within(now)) continue;  // a futex wakes by address only
    fail(violation::race,
         thread_name(thread_) + what + location_name(memory_, l) + ", unordered with a notify by " +
             thread_name(g[id].thread()),
         {{id}, &op});
  }
}

void executor::destroy(location_id l) {
  const heap::scope engine{nullptr};
  if (phase_ == phase::idle) return;
  if (phase_ == phase::threads) {
    operation op{.what = action::destroy, .location = l};
    if (recorded(op) == nullptr) {
      check_alive(l, &op);
      check_end(op, memory_.location_at(l), l, " destroys ");
      add(op);
    }
    memory_.location_at(l).ender = static_cast<std::uint8_t>(thread_);
    memory_.location_at(l).ended = static_cast<std::uint16_t>(threads_[thread_].cursor - 1);
  } else {
    check_alive(l);
  }
  memory_.location_at(l).dead = true;
}

void* executor::allocate(std::size_t size, std::size_t alignment) {
  const heap::scope engine{nullptr};
  const unsigned maker = phase_ == phase::threads ? thread_ : main_thread;
  const block_id b = memory_.allocate(maker, size, alignment);
  if (phase_ == phase::threads) {
    operation op{.what = action::allocate, .location = b};
    if (recorded(op) == nullptr) add(op);
  }
  return memory_.at(b).address;
}

void executor::release(void* p) {
  const heap::scope engine{nullptr};
  const block_id b = memory_.find(p);
  if (b == no_block) return fail(violation::bad_free, thread_name(thread_) + " frees what was never allocated");
  if (phase_ == phase::threads) {
    operation op{.what = action::release, .location = b};
    if (recorded(op) == nullptr) {
      if (memory_.at(b).freed) {
        fail(violation::bad_free, thread_name(thread_) + " frees a block a second time", freed_before(b, op));
      }
      for (const location_id l : memory_.at(b).locations) check_end(op, memory_.location_at(l), l, " frees ");
      add(op);
    }
  } else if (memory_.at(b).freed) {
    return fail(violation::bad_free, "the main thread frees a block a second time");
  }
  memory_.release(b);
}

namespace {

/// A graph with two more events: a thread tells another, by a release and an acquire of a location that nobody else
/// has, that it has come to one place, and the other learns it at another place.
class told_graph {
 public:
  told_graph(const graph& g, place from, place to) : from_{from}, to_{to}, names_(g.size(), initial) {
    clock behind = moved(g[g.at(from.thread, from.index - 1)].happened);
    behind.set(from.thread, from.index + 1);
    const event tell = made(g, from, action::store, behind);
    const event told = made(g, to, action::load, {});
    event_id teller = initial;
    event_id learner = initial;
    for (event_id id = 0; id != g.size(); ++id) {
      if (teller == initial && is_at(g[id], from)) teller = made_.append(tell);
      if (learner == initial && is_at(g[id], to)) learner = made_.append(told);
      event e = g[id];
      e.index = static_cast<std::uint16_t>(moved(e.thread(), e.index + 1U) - 1);
      const bool learns = e.happened.count(to.thread) > to.index;
      e.happened = moved(e.happened);
      if (learns) e.happened.join(behind);
      names_[id] = made_.append(e);
    }
    if (teller == initial) teller = made_.append(tell);
    if (learner == initial) learner = made_.append(told);
    learn(g, learner, teller, behind);
    for (event_id id = 0; id != g.size(); ++id) {
      if (g[id].source != initial) made_[names_[id]].source = names_[g[id].source];
    }
    for (std::size_t l = 0; l != g.locations(); ++l) place_writes(g, static_cast<location_id>(l));
    made_.place(teller, initial);
  }

  [[nodiscard]] const graph& get() const { return made_; }

 private:
  static bool is_at(const event& e, place p) { return e.thread() == p.thread && e.index == p.index; }
  static event made(const graph& g, place at, action what, const clock& behind) {
    event e;
    e.op.what = what;
    e.op.thread = static_cast<std::uint8_t>(at.thread);
    e.op.location = static_cast<location_id>(g.locations());
    e.index = static_cast<std::uint16_t>(at.index);
    e.happened = behind;
    return e;
  }

  /// Of a thread's events, so many of the first ones, once the new event stands among them.
  [[nodiscard]] unsigned moved(unsigned thread, unsigned count) const {
    const bool is_past = (thread == from_.thread && count > from_.index) || (thread == to_.thread && count > to_.index);
    return is_past ? count + 1 : count;
  }
  [[nodiscard]] clock moved(const clock& c) const {
    clock result;
    for (unsigned t = 0; t != max_threads; ++t) result.set(t, moved(t, c.count(t)));
    return result;
  }

  void learn(const graph& g, event_id learner, event_id teller, const clock& behind) {
    event& e = made_[learner];
    e.source = teller;
    if (to_.index != 0) e.happened = moved(g[g.at(to_.thread, to_.index - 1)].happened);
    e.happened.join(behind);
    e.happened.set(to_.thread, to_.index + 1);
  }
  void place_writes(const graph& g, location_id l) {
    event_id last = initial;
    for (event_id w = g.first_write(l); w != initial; w = g[w].after) {
      made_.place(names_[w], last);
      last = names_[w];
    }
  }

  place from_;
  place to_;
  std::vector<event_id> names_;  ///< by the old ones
  graph made_;
};

/// Whether an access that would come to have another behind it precedes that one: then coherence rules it out.
bool contradicts(const graph& g, const event& last, place to) {
  for (event_id id = 0; id != g.size(); ++id) {
    const event& e = g[id];
    if (e.happened.count(to.thread) <= to.index || (!e.reads() && !e.writes())) continue;
    for (event_id before = g.last_access(e.op.location); before != initial; before = g[before].chained) {
      const event& b = g[before];
      if ((b.reads() || b.writes()) && b.within(last.happened) && g.key(e) < g.key(b)) return true;
    }
  }
  return false;
}

/// (po ∪ rf)*, itself included. Its prefix may have more: what comes first of equal threads.
clock causes(const graph& g, const event& last) {
  clock behind;
  std::vector<const event*> left{&last};
  while (!left.empty()) {
    const event& e = *left.back();
    left.pop_back();
    for (unsigned n = behind.count(e.thread()); n <= e.index; ++n) {
      const event& before = g[g.at(e.thread(), n)];
      if (before.has_source()) left.push_back(&g[before.source]);
    }
    behind.set(e.thread(), std::max(behind.count(e.thread()), e.index + 1U));
  }
  return behind;
}

/// Whether the graph is consistent too if what comes before `from` happens before what comes after `to`.
bool stays_consistent(const graph& g, place from, place to) {
  if (from.index == 0) return true;
  const event& last = g[g.at(from.thread, from.index - 1)];
  if (last.prefix.count(to.thread) > to.index && causes(g, last).count(to.thread) > to.index) return false;
  return !contradicts(g, last, to) && psc().acyclic(told_graph(g, from, to).get());
}

}  // namespace

}  // namespace licit::checker::detail

bool licit::checker::could_happen_before(place from, place to) {
  const detail::heap::scope engine{nullptr};
  return detail::stays_consistent(dynamic_cast<detail::executor&>(detail::engine::running()).current(), from, to);
}
