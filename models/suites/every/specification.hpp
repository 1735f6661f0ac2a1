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

  static bool allows(items& list, const done_call& c) {
    if (c.how == ending::empty) return list.empty();
    if (c.how == ending::lost) return c.what == deed::steal;
    if (c.how == ending::refused) return false;
    if (c.what == deed::push) return list.push_back(c.with[0]), true;
    return c.what == deed::pop ? list.take_back(c.with[0]) : take_oldest(list, c.with);
  }
  static bool excuses(const call_history& h, std::size_t which) {
    return h[which].how != ending::lost || lost_to_another(h, which);
  }
};

/// The split deque: the same, but items are private until the owner publishes them. A thief may find no item whenever
/// the owner has not answered it; so `empty` from a steal says nothing about the list.
struct split_promise : deque_promise {
  static bool allows(items& list, const done_call& c) {
    if (c.what == deed::steal && c.how == ending::empty) return true;
    return deque_promise::allows(list, c);
  }
};

/// The run queue: everybody takes the oldest, a theft of half several at once. A push is refused only where the list is
/// full.
struct queue_promise {
  static constexpr std::array owner{"try", "pop"};
  static constexpr std::array thief{"steal", "half"};

  static bool allows(items& list, const done_call& c) {
    if (c.how == ending::empty) return list.empty();
    if (c.how == ending::lost) return c.what == deed::steal;
    if (c.how == ending::refused) return list.size() == c.room;
    if (c.what == deed::push) return list.push_back(c.with[0]), true;
    return take_oldest(list, c.with);
  }
  static bool excuses(const call_history& h, std::size_t which) { return deque_promise::excuses(h, which); }
};

}  // namespace licit::suites

#endif
