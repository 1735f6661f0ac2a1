/// What those structures promise for which tasks and threads wait: see specification.hpp for the queues', and
/// parts.hpp.
///
/// A call that asks ends at once, also where its thread has to wait: it is `refused` then, and the thread is in a line.
/// Another call of the thread waits until it is told (`wait`), or takes the wait back (`cancel`).
#ifndef LICIT_SUITES_EVERY_WAITING_HPP
#define LICIT_SUITES_EVERY_WAITING_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "suites/every/history.hpp"
#include "suites/line.hpp"

namespace licit::suites {

constexpr std::uint32_t bit_of(std::size_t call) { return std::uint32_t{1} << call; }
/// What the call has to have seen, it has.
inline bool has_seen(const done_call& c, std::uint32_t calls) { return (calls & ~c.sees) == 0; }

/// Threads that wait, in the order in which they came, and what they were told since. Each waits once at a time.
struct waiting_line {
  enum told : std::uint8_t { nothing, given, closed };
  items line = {};
  std::array<std::uint8_t, line::most_threads> asks{};   ///< of each thread: for how much, or with which item
  std::array<told, line::most_threads> word{};           ///< of each thread
  std::array<std::uint32_t, line::most_threads> with{};  ///< the calls that it has to have seen then

  bool joins(const done_call& c, std::uint8_t asked) {
    line.push_back(c.thread);
    asks[c.thread] = asked;
    return word[c.thread] = nothing, true;
  }
  /// Whether it was in the line.
  bool leaves(const done_call& c) {
    items left;
    for (std::size_t i = 0; i != line.size(); ++i) {
      if (line[i] != c.thread) left.push_back(line[i]);
    }
    return std::exchange(line, left).size() != left.size();
  }
  /// What the first one asks for; it is told.
  std::uint8_t tell_first(told what, std::uint32_t calls) {
    const std::uint8_t first = line[0];
    (void)line.take_front(first);
    word[first] = what;
    with[first] = calls;
    return asks[first];
  }
  void tell_all(told what, std::uint32_t calls) {
    while (!line.empty()) (void)tell_first(what, calls);
  }
  /// Whether its thread was told that, and has seen what it has to.
  bool hears(const done_call& c, told what) {
    return std::exchange(word[c.thread], nothing) == what && has_seen(c, with[c.thread]);
  }
  [[nodiscard]] bool waits(const done_call& c) const { return c.what == deed::wait && word[c.thread] == nothing; }

  [[nodiscard]] std::string key() const {
    std::string text = line.key() + ';';
    for (std::size_t t = 0; t != word.size(); ++t) {
      text += std::to_string(asks[t]) + ',' + std::to_string(word[t]) + ',' + std::to_string(with[t]) + ';';
    }
    return text;
  }
};

/// A promise to threads that are alike. The record says which calls wait there.
template <class Record>
struct promise_to_threads {
  using state = Record;
  static constexpr std::array<const char*, 0> owner{}, all_of_owner{};
  static bool waits(const state& s, const done_call& c) { return s.waits(c); }
};
/// One about what a call has seen, too.
template <class Record>
struct promise_of_sight : promise_to_threads<Record> {
  static constexpr bool sees = true;
};

/// Whether somebody has it, and the calls that freed it.
struct lock_record {
  bool is_held = false;
  std::uint32_t left = 0;

  [[nodiscard]] bool waits(const done_call& c) const { return c.what == deed::wait && is_held; }
  [[nodiscard]] std::string key() const { return std::to_string(left) + (is_held ? "+" : "-"); }
};

/// A lock: one thread at a time, which has seen what all did that had it before.
struct lock_promise : promise_of_sight<lock_record> {
  static constexpr std::string_view name = "the short lock";
  static constexpr std::array thief{"lock", "unlock"};
  static constexpr std::array all_of_thief{"lock", "unlock"};
  static constexpr std::array before{""};
  static constexpr unsigned calls = 5, full_calls = 4;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    if (h[which].what == deed::wait) return !std::exchange(s.is_held, true) && has_seen(h[which], s.left);
    s.left |= bit_of(which);
    return std::exchange(s.is_held, false);
  }
};

/// Permits that are free, and the line of those who wait for some; the calls that gave, and those that told somebody.
struct permits_record : waiting_line {
  static constexpr std::uint8_t limit = 2;  ///< of a `give`
  unsigned free = 0;
  std::uint32_t givers = 0, tellers = 0;

  [[nodiscard]] bool has(unsigned number) const { return line.empty() && free >= number; }
  bool takes(const done_call& c) { return has(c.count) && has_seen(c, givers) && ((free -= c.count), true); }
  bool hands_over(std::size_t which) {
    for (; !line.empty() && asks[line[0]] <= free; tellers |= bit_of(which)) free -= tell_first(given, givers);
    return true;
  }
  bool gives(unsigned number, std::size_t which) {
    givers |= bit_of(which);
    free += number;
    return hands_over(which);
  }
  /// Whether a call that told somebody is concurrent with this one.
  [[nodiscard]] bool is_telling_beside(const call_history& h, std::size_t which) const {
    bool is = false;
    for (std::size_t i = 0; i != h.size(); ++i) is = is || ((tellers & bit_of(i)) != 0 && h.concurrent(i, which));
    return is;
  }
  [[nodiscard]] std::string key() const {
    return waiting_line::key() + std::to_string(free) + ':' + std::to_string(givers) + ':' + std::to_string(tellers);
  }
};

/// Permits: given ones go to the first in the line as soon as they are enough for it, and nobody overtakes it. Who
/// gets some has seen what all did who gave before. A wait that is taken back gives back what it was handed, and lets
/// those behind it have what is enough for them. Whoever hands some over tells the threads that wait before it frees
/// the rest: a `try` beside it may find nothing. Two that are free are the limit: a call that gives more than that,
/// before any is handed over, is refused.
struct permits_promise : promise_of_sight<permits_record> {
  static constexpr std::string_view name = "permits";
  static constexpr std::array thief{"ask", "wait", "quit", "give"};
  static constexpr std::array all_of_thief{"ask", "ask(2)", "sleep", "wait", "quit", "try", "give", "give(2)"};
  static constexpr std::array before{"", " give"};
  static constexpr unsigned calls = 4, full_calls = 3;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool done = c.how == ending::done;
    switch (c.what) {
      case deed::take: return done ? s.takes(c) : !s.has(c.count) || s.is_telling_beside(h, which);
      case deed::enter: return done ? s.takes(c) : !s.has(c.count) && s.joins(c, c.count);
      case deed::wait: return s.hears(c, state::given);
      case deed::put: return done == (s.free + c.count <= state::limit) && (!done || s.gives(c.count, which));
      default: return s.leaves(c) ? done && s.hands_over(which) : !done && s.gives(s.asks[c.thread], which);
    }
  }
};

/// How many are missing, and the calls that came or opened.
struct gate_record : waiting_line {
  unsigned missing = 1;
  std::uint32_t came = 0;

  bool shuts(unsigned number) { return missing = number, true; }
  bool comes(unsigned left, std::size_t which) {
    came |= bit_of(which);
    missing = left;
    if (left == 0) tell_all(given, came);
    return true;
  }
  [[nodiscard]] bool lets_pass(const done_call& c) const { return missing == 0 && has_seen(c, came); }
  [[nodiscard]] std::string key() const {
    return waiting_line::key() + std::to_string(missing) + ':' + std::to_string(came);
  }
};

/// A gate, of which one is missing at first: it lets everybody through when all have come or somebody has opened it,
/// until it is shut. More than are missing cannot arrive. Who passes, or looks and finds it open, has seen what all did
/// who came before.
struct gate_promise : promise_of_sight<gate_record> {
  static constexpr std::string_view name = "a gate";
  static constexpr std::array thief{"ask", "wait", "quit", "open"};
  static constexpr std::array all_of_thief{"ask",  "sleep",  "wait",      "quit", "open",
                                           "shut", "arrive", "arrive(2)", "look"};
  static constexpr std::array before{"", " shut(2)"};
  static constexpr unsigned calls = 5, full_calls = 3;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool done = c.how == ending::done;
    switch (c.what) {
      case deed::enter: return done ? s.lets_pass(c) : s.missing != 0 && s.joins(c, 0);
      case deed::look: return done ? s.lets_pass(c) : s.missing != 0;
      case deed::wait: return s.hears(c, state::given);
      case deed::begin: return s.comes(0, which);
      case deed::come: return done == (c.count <= s.missing) && (!done || s.comes(s.missing - c.count, which));
      case deed::close: return s.shuts(c.count);
      default: return s.leaves(c) == done;
    }
  }
};

/// How many parties there are, how many of them are missing in this phase, and the calls that came.
struct rendezvous_record : waiting_line {
  unsigned parties = 3, missing = 3;
  std::uint32_t came = 0;

  /// Whether the phase ends.
  bool comes(std::size_t which) {
    came |= bit_of(which);
    if (--missing != 0) return false;
    missing = parties;
    return tell_all(given, came), true;
  }
  [[nodiscard]] std::string key() const {
    return waiting_line::key() + std::to_string(parties) + ':' + std::to_string(missing) + ':' + std::to_string(came);
  }
};

/// A rendezvous, of three parties at first: the last that comes ends the phase, and all that wait go on. Each has seen
/// what all did who came before. A wait that is taken back has come all the same; a party that is dropped has come for
/// the last time. Without parties nobody may come.
struct rendezvous_promise : promise_of_sight<rendezvous_record> {
  static constexpr std::string_view name = "a rendezvous";
  static constexpr std::array thief{"meet", "wait", "quit"};
  static constexpr std::array all_of_thief{"meet", "sleep", "wait", "quit", "drop"};
  static constexpr std::array before{"", " drop"};
  static constexpr unsigned calls = 5, full_calls = 3;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool done = c.how == ending::done;
    switch (c.what) {
      case deed::enter:
        if (s.missing == 0 || c.how == ending::empty) return s.missing == 0 && c.how == ending::empty;
        if (!done && s.missing != 1) s.joins(c, 0);
        return s.comes(which) == done && (!done || has_seen(c, s.came));
      case deed::wait: return s.hears(c, state::given);
      case deed::drop: return done ? s.missing != 0 && (--s.parties, s.comes(which), true) : s.missing == 0;
      default: return s.leaves(c) == done;
    }
  }
};

/// Items, the lines of those who wait for room and for an item, and how many were told of an item and have not taken
/// it. A thread is in one of the lines at most.
struct channel_record {
  static constexpr std::uint8_t a_sender = 0, a_receiver = 1;               ///< the `count` of a wait
  static constexpr std::uint8_t closes = 0, drops_all = 1;                  ///< and of a close
  static constexpr std::uint8_t how_many = 0, if_closed = 1, if_ended = 2;  ///< the `room` of a look
  waiting_line senders, receivers;
  items in = {};
  unsigned told = 0;
  bool closed = false;

  [[nodiscard]] bool has_free() const { return in.size() > told; }
  [[nodiscard]] bool ended() const { return closed && in.empty(); }
  bool tells_one() {
    if (!receivers.line.empty() && has_free()) ++told, (void)receivers.tell_first(waiting_line::given, 0);
    return true;
  }
  bool puts(std::uint8_t item) { return in.push_back(item), tells_one(); }
  /// The oldest item is taken, and the sender that has waited longest has room.
  bool takes(std::uint8_t item) {
    if (!in.take_front(item)) return false;
    if (!senders.line.empty()) (void)puts(senders.tell_first(waiting_line::given, 0));
    return ends();
  }
  /// As if it had waited, and had been told.
  bool reserves(const done_call& c) {
    receivers.word[c.thread] = waiting_line::given;
    receivers.with[c.thread] = 0;
    return ++told, true;
  }
  /// It is closed, and empty.
  bool drops(const items& all) { return closed = true, std::exchange(in, {}).key() == all.key() && ends(); }
  bool ends() {
    if (closed) senders.tell_all(waiting_line::closed, 0);
    if (ended()) receivers.tell_all(waiting_line::closed, 0);
    return true;
  }
  /// A thread was told, and goes on: a sender, or a receiver, which takes the oldest item; or it is lost, as all were
  /// dropped.
  bool hears(const done_call& c) {
    if (!line_of(c).hears(c, c.how == ending::empty ? waiting_line::closed : waiting_line::given)) return false;
    if (c.how == ending::empty || c.count == a_sender) return c.how != ending::lost;
    return --told, c.how == ending::lost ? ended() : takes(c.with[0]);
  }
  /// A wait is taken back. A receiver that was told of an item lets the next one have it.
  bool quits(const done_call& c) {
    const bool still_waits = line_of(c).leaves(c);
    if (still_waits || c.how == ending::done) return still_waits && c.how == ending::done;
    if (!line_of(c).hears(c, c.how == ending::lost ? waiting_line::given : waiting_line::closed)) return false;
    return c.how != ending::lost || c.count == a_sender || (--told, tells_one());
  }
  [[nodiscard]] bool shows(const done_call& c) const {
    if (c.room == how_many) return c.count == in.size();
    const bool shown = c.room == if_closed ? closed : ended();
    return c.count == (shown ? 1 : 0);
  }
  [[nodiscard]] bool waits(const done_call& c) const { return line_of(c).waits(c); }
  [[nodiscard]] waiting_line& line_of(const done_call& c) { return c.count == a_sender ? senders : receivers; }
  [[nodiscard]] const waiting_line& line_of(const done_call& c) const {
    return c.count == a_sender ? senders : receivers;
  }
  [[nodiscard]] std::string key() const {
    return senders.key() + '|' + receivers.key() + '|' + in.key() + '|' + std::to_string(told) + (closed ? "+" : "-");
  }
};

/// A channel: items come out in the order in which they went in, each once. A sender waits while there is no room, and
/// a receiver while there is no item that nobody else was told of; who has waited longest is told first, and nobody
/// takes what it was told of. A wait that is taken back loses nothing. Behind a close nothing comes in (`lost`), what
/// is inside comes out, unless it is dropped, and then everybody learns that there is no more (`empty`).
struct channel_promise : promise_to_threads<channel_record> {
  static constexpr std::string_view name = "a channel";
  static constexpr std::array thief{"send", "receive", "wait", "quit"};
  static constexpr std::array all_of_thief{"send", "offer", "receive", "take",  "sleep", "reserve",
                                           "wait", "quit",  "last",    "close", "drop"};
  static constexpr std::array capacities{1U, 2U};
  static constexpr std::array before{"", " offer"};
  static constexpr unsigned calls = 4, full_calls = 3;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool done = c.how == ending::done;
    const bool is_over = c.how == ending::lost || c.how == ending::empty;
    switch (c.what) {
      case deed::push:
        if (s.closed || is_over) return s.closed && is_over;
        if (s.in.size() != c.room) return done && s.puts(c.with[0]);
        return !done && (c.count == 0 || s.senders.joins(c, c.with[0]));
      case deed::pop:
        if (s.has_free() || done) return done && s.has_free() && s.takes(c.with[0]);
        return c.count == 0 || (s.ended() ? is_over : !is_over && s.receivers.joins(c, 0));
      case deed::hold: return done == s.has_free() && (!done || s.reserves(c));
      case deed::wait: return s.hears(c);
      case deed::close:
        return c.count == state::drops_all ? s.drops(c.with) : std::exchange(s.closed, true) != done && s.ends();
      case deed::look: return s.shows(c);
      default: return s.quits(c);
    }
  }
};

/// Jobs that are queued; the threads of the line that are idle, and those that wait until all threads have left; how
/// many there are, and the calls by which they left.
struct jobs_record {
  static constexpr std::uint8_t a_worker = 0, a_joiner = 1;  ///< the `count` of a wait
  waiting_line idle, joiners;
  items queue = {};
  unsigned threads = 0;
  bool closed = false;
  std::uint32_t left = 0;

  /// Whether another thread is to be started. The job goes to the thread that has been idle for the shortest time.
  bool adds(std::uint8_t job, unsigned limit) {
    if (idle.line.empty()) {
      queue.push_back(job);
      const bool one_more = threads < limit;
      if (one_more) ++threads;
      return one_more;
    }
    items older = idle.line;
    const std::uint8_t youngest = older[older.size() - 1];
    idle.line = {};
    idle.line.push_back(youngest);
    idle.asks[youngest] = job;
    (void)idle.tell_first(waiting_line::given, 0);
    return (void)older.take_back(youngest), idle.line = older, false;
  }
  bool leaves(std::size_t which) {
    left |= bit_of(which);
    if (--threads == 0) joiners.tell_all(waiting_line::given, left);
    return true;
  }
  /// An idle thread was told of a job, or that it is to leave; or somebody that all have left.
  bool hears(const done_call& c, std::size_t which) {
    if (c.count == a_joiner) return joiners.hears(c, waiting_line::given);
    if (c.with.empty()) return idle.hears(c, waiting_line::closed) && leaves(which);
    return idle.asks[c.thread] == c.with[0] && idle.hears(c, waiting_line::given);
  }
  bool quits(const done_call& c, std::size_t which) {
    if (!line_of(c).leaves(c)) return c.how == ending::lost && hears(c, which);
    return c.how == ending::done && (c.count == a_joiner || leaves(which));
  }
  /// All jobs of the queue are taken out, or none if not all are wanted.
  bool drops(const done_call& c, bool all) {
    return all ? std::exchange(queue, {}).key() == c.with.key() : c.with.empty();
  }
  [[nodiscard]] bool waits(const done_call& c) const { return line_of(c).waits(c); }
  [[nodiscard]] waiting_line& line_of(const done_call& c) { return c.count == a_worker ? idle : joiners; }
  [[nodiscard]] const waiting_line& line_of(const done_call& c) const { return c.count == a_worker ? idle : joiners; }
  [[nodiscard]] std::string key() const {
    return idle.key() + '|' + joiners.key() + '|' + queue.key() + '|' + std::to_string(threads) + (closed ? "+" : "-") +
           std::to_string(left);
  }
};

/// A line of jobs: a job goes to an idle thread, or into the queue; then the caller starts a thread, up to the limit.
/// Each job is done once, the oldest of the queue first, or dropped, and refused only behind a close. Threads leave
/// where they find none behind a close, or when they have been idle for long. Who waits for that has seen what they
/// did.
struct jobs_promise : promise_of_sight<jobs_record> {
  static constexpr std::string_view name = "a line of jobs";
  static constexpr std::array thief{"add", "next", "wait", "quit", "close"};
  static constexpr std::array all_of_thief{"add", "enlist", "shrink", "next", "wait", "quit", "join", "close", "drop"};
  static constexpr std::array capacities{1U, 2U};
  static constexpr std::array before{""};
  static constexpr unsigned calls = 4, full_calls = 3;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool refused = c.how == ending::refused;
    switch (c.what) {
      case deed::push: return s.closed || refused ? s.closed && refused : s.adds(c.with[0], c.room) == (c.count != 0);
      case deed::retract: return s.drops(c, s.threads == 1) && s.leaves(which);
      case deed::take:
        if (!s.queue.empty()) return c.how == ending::done && s.queue.take_front(c.with[0]);
        return s.closed ? c.how == ending::empty && s.leaves(which) : refused && s.idle.joins(c, 0);
      case deed::enter:
        return refused ? s.threads != 0 && s.joiners.joins(c, 0) : s.threads == 0 && has_seen(c, s.left);
      case deed::wait: return s.hears(c, which);
      case deed::look: return c.count == s.threads;
      case deed::close: return s.idle.tell_all(waiting_line::closed, 0), s.closed = true, s.drops(c, c.count != 0);
      default: return s.quits(c, which);
    }
  }
};

}  // namespace licit::suites

#endif
