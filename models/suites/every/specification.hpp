/// What each structure promises: its calls as deeds to a list, and where concurrency may show.
#ifndef LICIT_SUITES_EVERY_SPECIFICATION_HPP
#define LICIT_SUITES_EVERY_SPECIFICATION_HPP

#include <array>
#include <cstddef>

#include "suites/every/history.hpp"

namespace licit::suites {

/// A call may be lost only to another thread's successful claim that is concurrent with it.
inline bool lost_to_another(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    const bool claimed = h[i].what != deed::push && h[i].how == ending::done && h[i].thread != h[which].thread;
    if (claimed && h.concurrent(i, which)) return true;
  }
  return false;
}

/// The items, in this order, are the oldest of the list.
inline bool take_oldest(items& list, const items& taken) {
  for (std::size_t i = 0; i != taken.size(); ++i) {
    if (!list.take_front(taken[i])) return false;
  }
  return true;
}

/// The owner pushes and pops the youngest; thieves steal the oldest. `empty` only where the list is.
struct deque_promise {
  static constexpr std::array owner{"push", "pop"};
  static constexpr std::array thief{"steal"};
  static constexpr std::array capacities{1U, 2U};

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.how == ending::empty) return list.empty();
    if (c.how == ending::lost) return c.what == deed::steal && lost_to_another(h, which);
    if (c.how == ending::refused) return false;
    if (c.what == deed::push) return list.push_back(c.with[0]), true;
    return c.what == deed::pop ? list.take_back(c.with[0]) : take_oldest(list, c.with);
  }
};

/// The tagged deque: the same, and a theft of half takes several of the oldest by one claim.
struct tagged_promise : deque_promise {
  static constexpr std::array thief{"steal", "half"};
};

/// The split deque: the same, but items are private until the owner publishes them. A steal that finds private items
/// only is lost, to nobody. When the owner has to publish, the specification does not say.
struct split_promise : deque_promise {
  static bool allows(items& list, const call_history& h, std::size_t which) {
    if (h[which].what == deed::steal && h[which].how == ending::lost && !list.empty()) return true;
    return deque_promise::allows(list, h, which);
  }
};

/// Each item whose push happens before this call is taken by a call that this one does not happen before.
inline bool empty_as_far_as_known(const call_history& h, std::size_t which) {
  for (std::size_t i = 0; i != h.size(); ++i) {
    if ((h[which].before >> i & 1U) == 0 || h[i].what != deed::push || h[i].with.empty()) continue;
    bool taken = false;
    for (std::size_t j = 0; j != h.size(); ++j) {
      if (h[j].what == deed::push || (h[j].before >> which & 1U) != 0) continue;
      for (std::size_t n = 0; n != h[j].with.size(); ++n) taken = taken || h[j].with[n] == h[i].with[0];
    }
    if (!taken) return false;
  }
  return true;
}

/// The run queue: everybody takes the oldest, a theft of half several at once; a push is refused only where the list is
/// full. It has no fence, so `empty` says what the call knew: a thief may see that an item is gone, and not yet the one
/// that was pushed after it.
struct queue_promise {
  static constexpr std::array owner{"try", "pop"};
  static constexpr std::array thief{"steal", "half"};
  static constexpr std::array capacities{2U, 4U};

  static bool allows(items& list, const call_history& h, std::size_t which) {
    const done_call& c = h[which];
    if (c.how == ending::empty) return c.what != deed::push && empty_as_far_as_known(h, which);
    if (c.how == ending::refused) return c.what == deed::push && list.size() == c.room;
    if (c.what == deed::pop && c.how == ending::done) return take_oldest(list, c.with);
    return deque_promise::allows(list, h, which);
  }
};

}  // namespace licit::suites

#endif
