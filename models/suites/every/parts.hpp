/// What the scheduler's parts promise: see specification.hpp for the queues'.
#ifndef LICIT_SUITES_EVERY_PARTS_HPP
#define LICIT_SUITES_EVERY_PARTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "suites/every/history.hpp"
#include "suites/every/specification.hpp"

namespace licit::suites {

/// The LIFO slot: a list of one item at most. Who puts gets back what it displaces, and nobody else takes that.
struct slot_promise {
  static constexpr std::array owner{"put", "take"};
  static constexpr std::array thief{"steal"};
  static constexpr std::array all_of_owner{"put", "take", "take_last", "empty"};
  static constexpr std::array all_of_thief{"steal", "empty"};
  static constexpr std::array before{""};
  static constexpr unsigned calls = 7;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.what == deed::look) return c.count == list.size();
    if (c.what != deed::put) return c.how == ending::empty ? list.empty() : list.take_front(c.with[0]);
    const bool displaces = c.with.size() == 2;
    if (displaces ? !list.take_front(c.with[1]) : !list.empty()) return false;
    return list.push_back(c.with[0]), true;
  }
};

/// Whether a close, of that kind, may come before the call, as far as happens-before tells; or has to.
inline bool may_be_closed(const call_history& h, std::size_t which, std::uint8_t how) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (i != which && h[i].what == deed::close && h[i].room == how && (h[i].before >> which & 1U) == 0) return true;
  }
  return false;
}
inline bool is_closed(const call_history& h, std::size_t which, std::uint8_t how) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (h[i].what == deed::close && h[i].room == how && (h[which].before >> i & 1U) != 0) return true;
  }
  return false;
}

/// The inject queue: everybody pushes, and takes the oldest, two at once by one claim. A batch is so many pushes, one
/// after another. Two things stand in no order with the items. `empty` says what the call knew: if it is true, each
/// item whose push happens before the call is taken by a call that does not happen after it; if it is false, no take
/// has found the queue empty since the last push. A push is refused only if a close may have come before it, and always
/// if one happens before it.
struct inject_promise {
  static constexpr std::string_view name = "segments of three cells";
  static constexpr std::array<const char*, 0> owner{};
  static constexpr std::array thief{"push", "take"};
  static constexpr std::array<const char*, 0> all_of_owner{};
  static constexpr std::array all_of_thief{"push", "batch(2)", "take", "take(2)", "empty", "close"};
  static constexpr std::array before{"", " push"};
  static constexpr unsigned calls = 2;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.how == ending::empty) return empty_as_far_as_known(h, which);
    if (c.what == deed::look) return !was_found_empty(h, which);
    if (c.what == deed::close) return c.how == ending::done ? !is_closed(h, which, 0) : may_be_closed(h, which, 0);
    if (c.what == deed::take) return take_oldest(list, c.with);
    if (c.how == ending::refused) return may_be_closed(h, which, 0);
    return list.push_back(c.with[0]), !is_closed(h, which, 0);
  }
};

/// The same, where pushers and takers meet at the end of a segment with every item.
struct inject_at_ends_promise : inject_promise {
  static constexpr std::string_view name = "segments of one cell";
  static constexpr std::array all_of_thief{"push", "batch(1)", "take"};
  static constexpr std::array before{"", " push", " push push", " push push push"};
  static constexpr unsigned calls = 2;
};

/// The parker: an unpark leaves a token, which the next park takes; it waits only where there is none. It has seen what
/// every thread did that has left one since the park before, and takes all of those tokens as one.
struct parker_promise {
  static constexpr std::array owner{"park"};
  static constexpr std::array thief{"unpark"};
  static constexpr std::array all_of_owner{"park", "unpark"};
  static constexpr std::array all_of_thief{"unpark"};
  static constexpr std::array before{"", " unpark"};
  static constexpr unsigned calls = 7;
  static constexpr bool sees = true;

  static bool allows(items& tokens, const call_history& h, std::size_t which) {
    if (h[which].what == deed::unpark) return tokens.push_back(static_cast<std::uint8_t>(which)), true;
    for (std::size_t i = 0; i != tokens.size(); ++i) {
      if ((h[which].sees >> tokens[i] & 1U) == 0) return false;
    }
    const bool is_there = !tokens.empty();
    tokens = {};
    return is_there;
  }
  static bool waits(const items& tokens, const done_call& c) { return c.what == deed::park && tokens.empty(); }
};

/// Who is in an idle set, and how many search.
struct idle_state {
  static constexpr std::uint8_t in = 0xff;
  static constexpr std::uint8_t out = 0xfe;

  std::array<std::uint8_t, 4> worker{out, out, out, out};  ///< or the claim that took it out
  std::uint8_t searching = 0;
  std::uint32_t left = 0;  ///< the calls that ended a search

  [[nodiscard]] bool is_in(std::uint8_t w) const { return worker[w] == in; }
  [[nodiscard]] bool none_in() const { return !is_in(0) && !is_in(1) && !is_in(2) && !is_in(3); }
  [[nodiscard]] bool was_claimed(std::uint8_t w) const { return worker[w] < out; }
  bool enters(std::uint8_t w) { return worker[w] = in, true; }
  bool leaves(std::uint8_t w, std::size_t by) { return is_in(w) && (worker[w] = static_cast<std::uint8_t>(by), true); }
  bool searches() { return ++searching, true; }
  bool ends(std::size_t which) {
    left |= std::uint32_t{1} << which;
    if (searching == 0) return false;
    --searching;
    return true;
  }
  [[nodiscard]] std::string key() const {
    return std::string(worker.begin(), worker.end()) + static_cast<char>(searching) + std::to_string(left);
  }
};

/// The idle set, of three workers with their bits beside the counts: each is a thread. It parks, and is out again by
/// its own doing or by one claim. A claim wakes nobody only where nobody is parked, or somebody searches. A worker that
/// finds itself claimed has seen what the claimer did before; the last to end its search, with a fence, what the others
/// did.
struct idle_promise {
  using state = idle_state;
  static constexpr std::array<const char*, 0> owner{}, all_of_owner{};
  static constexpr std::array thief{"park", "retract", "claim"};
  static constexpr std::array all_of_thief{"park", "retract", "claim", "claim-any", "begin", "end", "awake"};
  static constexpr std::array before{" park(1)", " park(1) park(2)", " begin(1) begin(2)"};
  static constexpr unsigned calls = 5;
  static constexpr bool alike = false, sees = true;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const std::uint8_t w = c.with.empty() ? 0 : c.with[0];
    const bool done = c.how == ending::done;
    const bool claims_in_vain = s.none_in() || (c.what == deed::claim && s.searching != 0);
    switch (c.what) {
      case deed::enter: return !s.is_in(w) && (c.room == 0 || s.ends(which)) && is_last(s, c) && s.enters(w);
      case deed::end: return s.ends(which) && is_last(s, c);
      case deed::begin: return done ? s.searching < 2 && s.searches() : s.searching >= 2;
      case deed::retract: return done ? s.leaves(w, state::out) && s.searches() : !s.is_in(w);
      case deed::look: return done ? s.is_in(w) : s.was_claimed(w) && (c.sees >> s.worker[w] & 1U) != 0;
      default: return done ? !claims_in_vain && s.leaves(w, which) && s.searches() : claims_in_vain;
    }
  }
  static bool is_last(const state& s, const done_call& c) {
    return c.count == (s.searching == 0 ? 1 : 0) && (c.count == 0 || (s.left & ~c.sees) == 0);
  }
};

/// A task: who has its entry, and whom the next run has to have seen.
struct task_record {
  bool scheduled = true, running = false, complete = false, cancelled = false;
  std::uint32_t wakes = 0;  ///< since the last begin, and the suspend since then
  std::uint32_t run = 0;    ///< the suspend of the last run
  std::uint8_t completed_by = 0;

  /// Whether the caller is to queue it.
  bool schedule(std::size_t which) {
    wakes |= std::uint32_t{1} << which;
    const bool idle = !scheduled && !running && !complete;
    scheduled = scheduled || !complete;
    return idle;
  }
  bool begins(bool as_cancelled) {
    const bool may = scheduled && !running && !complete && as_cancelled == cancelled;
    scheduled = false;
    return running = true, may;
  }
  bool suspends(std::size_t which) {
    run = std::uint32_t{1} << which;
    wakes |= run;
    return std::exchange(running, false);
  }
  bool completes(std::size_t which) {
    completed_by = static_cast<std::uint8_t>(which);
    complete = true;
    return std::exchange(running, false);
  }
  [[nodiscard]] std::string key() const {
    return std::to_string((scheduled ? 1 : 0) + (running ? 2 : 0) + (complete ? 4 : 0) + (cancelled ? 8 : 0)) + ':' +
           std::to_string(wakes) + ':' + std::to_string(run) + ':' + std::to_string(completed_by);
  }
};

/// A task's state: a wake or a cancellation makes an idle task scheduled, and its caller queues it; during a run it
/// makes the suspension do so. One run at a time; it has seen all that woke the task since the run before, and that
/// run, which who queues the task has seen too. Who sees the task complete has seen what it did.
struct task_promise {
  using state = task_record;
  static constexpr std::array owner{"begin", "suspend", "complete", "wake"};
  static constexpr std::array thief{"begin", "suspend", "wake", "done"};
  static constexpr std::array all_of_owner{"begin", "suspend", "complete", "wake", "cancel", "done"};
  static constexpr std::array all_of_thief{"begin", "suspend", "complete", "wake", "cancel", "done"};
  static constexpr std::array before{"", " begin"};
  static constexpr unsigned calls = 5;
  static constexpr bool sees = true;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    switch (c.what) {
      case deed::begin: return s.begins(c.count != 0) && (std::exchange(s.wakes, 0U) & ~c.sees) == 0;
      case deed::suspend: return s.suspends(which) && c.count == (s.scheduled ? 1 : 0);
      case deed::complete: return s.completes(which);
      case deed::cancel: s.cancelled = true; [[fallthrough]];
      case deed::wake: return s.schedule(which) == (c.count != 0) && (c.count == 0 || (s.run & ~c.sees) == 0);
      default: return c.count == (s.complete ? 1 : 0) && (!s.complete || (c.sees >> s.completed_by & 1U) != 0);
    }
  }
};

/// What a census counts, and the calls that ended a task, a visit or a hold.
struct census_record {
  static constexpr std::uint8_t a_child = 1, all_doors = 1;  ///< the `room` of a call
  std::uint8_t tasks = 0, visitors = 0, holders = 1;
  bool closed = false;
  std::uint32_t ended = 0, left = 0, dropped = 0;

  bool ends(std::size_t which) { return ended |= std::uint32_t{1} << which, tasks-- != 0; }
  bool goes(std::size_t which) { return left |= std::uint32_t{1} << which, visitors-- != 0; }
  bool drops(std::size_t which, const done_call& c) {
    dropped |= std::uint32_t{1} << which;
    return tells(c, --holders == 0, dropped);
  }
  /// The call says whether it is so; and if it is, has seen the other calls.
  static bool tells(const done_call& c, bool is, std::uint32_t calls) {
    return c.count == (is ? 1 : 0) && (!is || (calls & ~c.sees) == 0);
  }
  /// Whether a child may be admitted, or refused, as far as happens-before tells.
  static bool may_be_so(const call_history& h, std::size_t child) {
    return h[child].how == ending::done ? !is_closed(h, child, all_doors) : may_be_closed(h, child, all_doors);
  }

  [[nodiscard]] std::string key() const {
    std::string text;
    for (const std::uint32_t n : {std::uint32_t{tasks}, std::uint32_t{visitors}, std::uint32_t{holders},
                                  std::uint32_t{closed}, ended, left, dropped}) {
      text += std::to_string(n) + ':';
    }
    return text;
  }
};

/// The census: a task enters unless the doors are closed to it, and ends; a wait, behind a close, returns where there
/// is no task, and has seen what all of them did. Nobody is left, or a hold is the last, where their numbers say so;
/// who is told has seen what the others did. A child's admission stands in no order with the rest: it is refused only
/// if a close of all doors may have come before it, and always if one happens before it. `alive` is an estimate.
struct census_promise {
  using state = census_record;
  static constexpr std::array owner{"close", "wait"};
  static constexpr std::array thief{"enter", "end"};
  static constexpr std::array all_of_owner{"enter", "close", "close(1)", "wait", "alive", "vacant", "drop"};
  static constexpr std::array all_of_thief{"enter", "spawn", "end", "come", "go", "alive", "hold", "drop"};
  static constexpr std::array before{"", " enter(1) close", " enter(1) come(1) end(1) close", " hold(1)"};
  static constexpr unsigned calls = 4;
  static constexpr bool alike = false, sees = true;

  static bool allows(state& s, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    const bool done = c.how == ending::done;
    switch (c.what) {
      case deed::enter:
        if (c.room != state::a_child) return done ? !s.closed && ++s.tasks != 0 : s.closed;
        return state::may_be_so(h, which) && (!done || s.tasks++ != 0);
      case deed::end: return s.ends(which);
      case deed::close: return s.closed = true;
      case deed::wait: return s.closed && s.tasks == 0 && (s.ended & ~c.sees) == 0;
      case deed::come: return ++s.visitors != 0;
      case deed::go: return s.goes(which);
      case deed::look: return state::tells(c, s.visitors == 0, s.left);
      case deed::hold: return ++s.holders != 0;
      case deed::drop: return s.drops(which, c);
      default: return is_estimate(h, which, deed::enter);
    }
  }
  static bool waits(const state& s, const done_call& c) { return c.what == deed::wait && s.tasks != 0; }
};

}  // namespace licit::suites

#endif
