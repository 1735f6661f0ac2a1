/// What the scheduler's parts promise: see specification.hpp for the queues'.
#ifndef LICIT_SUITES_EVERY_PARTS_HPP
#define LICIT_SUITES_EVERY_PARTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

/// Whether a close may come before the call, as far as happens-before tells; or has to.
inline bool may_be_closed(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (i != which && h[i].what == deed::close && (h[i].before >> which & 1U) == 0) return true;
  }
  return false;
}
inline bool is_closed(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if (h[i].what == deed::close && (h[which].before >> i & 1U) != 0) return true;
  }
  return false;
}

/// The inject queue: everybody pushes, and takes the oldest, two at once by one claim. A batch is so many pushes, one
/// after another. Two things stand in no order with the items. `empty` says what the call knew: each item whose push
/// happens before the call is taken by a call that does not happen after it. A push is refused only if a close may have
/// come before it, and always if one happens before it.
struct inject_promise {
  static constexpr std::string_view name = "segments of three cells";
  static constexpr std::array<const char*, 0> owner{};
  static constexpr std::array thief{"push", "take"};
  static constexpr std::array<const char*, 0> all_of_owner{};
  static constexpr std::array all_of_thief{"push", "batch(2)", "take", "take(2)", "empty", "close"};
  static constexpr std::array before{"", " push"};
  static constexpr unsigned calls = 3;

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.how == ending::empty) return empty_as_far_as_known(h, which);
    if (c.what == deed::look) return true;
    if (c.what == deed::close) return c.how == ending::done ? !is_closed(h, which) : may_be_closed(h, which);
    if (c.what == deed::take) return take_oldest(list, c.with);
    if (c.how == ending::refused) return may_be_closed(h, which);
    return list.push_back(c.with[0]), !is_closed(h, which);
  }
};

/// The same, where pushers and takers meet at the end of a segment with every item.
struct inject_at_ends_promise : inject_promise {
  static constexpr std::string_view name = "segments of one cell";
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
  static constexpr unsigned calls = 5;
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
  bool ends(std::size_t which) { return left |= std::uint32_t{1} << which, searching != 0 && (--searching, true); }
  [[nodiscard]] std::string key() const {
    std::string text(worker.begin(), worker.end());
    return text + static_cast<char>(searching) + std::to_string(left);
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
  static constexpr unsigned calls = 4;
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

}  // namespace licit::suites

#endif
